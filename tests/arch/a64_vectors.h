/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * a64_vectors.h - what simulated arm64 instructions do, by hand: state before,
 * word, state after.
 *
 * Plain data, so that a program on an arm64 CPU can run the same: put the word
 * at vaddr, load the registers, step once, compare. Registers that a vector does
 * not name hold a64_fill() of their number, before and after. pstate is compared
 * in its flags.
 */
#ifndef TESTS_ARCH_A64_VECTORS_H
#define TESTS_ARCH_A64_VECTORS_H

#define A64_NO -1 /* no register */

struct a64_value {
	int reg; /* x0 to x30 */
	unsigned long val;
};

struct a64_vector {
	const char *text;
	unsigned int word, flags; /* NZCV as a number of 4 bits */
	unsigned long vaddr;
	struct a64_value before, after; /* one register each, or A64_NO */
	long pc;			/* after, less vaddr; or as it is: */
	unsigned long to;		/* if not 0 */
	/* of a load: what lies at its address, from where, how many bytes */
	unsigned long memory, from;
	unsigned int size;
};

static inline unsigned long a64_fill(unsigned int reg)
{
	return 0x8001020304050607ul * (reg + 1);
}

extern const struct a64_vector a64_vectors[];
extern const unsigned int a64_nr_vectors;

#endif /* TESTS_ARCH_A64_VECTORS_H */

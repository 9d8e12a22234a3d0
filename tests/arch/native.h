/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * native.h - let the CPU run one instruction, to compare arch/ with it.
 *
 * A traced child shares three ranges of memory with the test: text (a place
 * for the original and, far away, one for the slot), data and stack. The test
 * sets the child's registers, lets it run one instruction, reads them back.
 */
#ifndef TESTS_ARCH_NATIVE_H
#define TESTS_ARCH_NATIVE_H

#include <sys/types.h>

#include "arch.h"

#define NATIVE_TEXT 0x200000000000ul /* originals; 2 pages */
#define NATIVE_DATA (NATIVE_TEXT + 0x10000)
#define NATIVE_STACK (NATIVE_TEXT + 0x20000)
#define NATIVE_SLOT 0x300000000000ul /* out of reach of any disp32 */
#define NATIVE_SIZE 0x4000ul	     /* of data, and of stack */
#define NATIVE_VADDR (NATIVE_TEXT + 0x800)

/* All that an instruction can change. */
struct native_state {
	struct pt_regs regs;
	int sig; /* 0: completed, otherwise the fault's signal */
	size_t xsize;
	unsigned char data[NATIVE_SIZE], stack[NATIVE_SIZE];
	unsigned char xstate[16384];
};

/* How the end of the instruction is found. */
enum native_end { NATIVE_STEP, NATIVE_BREAKPOINT };

/* Start the child; aborts the test with a message on failure. */
void native_start(void);
void native_stop(void);

/* A pseudo-random state: registers that point into data, sp into stack. */
void native_random(struct native_state *s, unsigned long seed);

/*
 * Run code at addr from state *s, which then is the state after. After a
 * breakpoint ip has been put back onto it.
 */
void native_run(struct native_state *s, unsigned long addr,
		const unsigned char *code, size_t len, enum native_end end);

/*
 * What arch/ makes of it: emulated, or in the slot, ended the given way.
 * *s is the state before and then after.
 */
void native_emulate(struct native_state *s, const struct arch_insn *insn);
void native_xol(struct native_state *s, const struct arch_insn *insn,
		enum native_end end);

/* NULL if equal; otherwise what differs first, in a static buffer. */
const char *native_diff(const struct native_state *a,
			const struct native_state *b);

/*
 * Analyse code (it has to be accepted) and compare every way arch/ can run it
 * with the original, from the state *s. NULL, or what differs and how it ran.
 */
const char *native_check(const struct native_state *s,
			 const unsigned char *code, size_t len);

/* Hex digits to bytes; returns their number. */
size_t native_hex(const char *hex, unsigned char *out, size_t max);

#endif /* TESTS_ARCH_NATIVE_H */

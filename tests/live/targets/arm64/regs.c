// SPDX-License-Identifier: GPL-2.0-only
/*
 * regs.c - each instruction twice: `probed_X` for probes, `twin_X` without.
 *
 * Both are called with the same registers; registers, flags, vector registers,
 * the balance of the stack and memory must be the same afterwards.
 */
#include <stdint.h>
#include <string.h>

#include "../target.h"

struct state {
	uint64_t gpr[31]; /* x15 is where to return to, too */
	uint64_t flags;
	uint64_t sp; /* how far it has moved */
	unsigned char vec[4][16] __attribute__((aligned(16)));
};

long target_data[8] = { 11, 22, 33, 44, 55, 66, 77, 88 };

void target_leaf(void);
ASM_FUNCTION(target_leaf, "add x0, x0, #5\n ret");

#define SKIP "\n add x0, x0, #1\n 1:"

/*
 * First instruction, then what makes it a function. x1 points to target_data,
 * x11 to target_leaf.
 */
#define CASES(X)                                                           \
	X(nop, "nop", "ret")                                               \
	X(bti, "hint #34", "ret")                                          \
	X(sign, "hint #25", "hint #29\n ret")                              \
	X(add, "add x0, x2, x3", "ret")                                    \
	X(adds, "adds x0, x2, x3", "cset x4, cs\n ret")                    \
	X(cmp, "cmp x2, #20", "cset x4, lt\n ret")                         \
	X(csel, "csel x0, x2, x3, ne", "ret")                              \
	X(sub_sp, "sub sp, sp, #32", "add sp, sp, #32\n ret")              \
	X(push, "stp x29, x3, [sp, #-16]!", "ldp x4, x5, [sp], #16\n ret") \
	X(push_sp, "mov x4, sp", "sub x4, x4, x4\n ret")                   \
	X(load, "ldr x0, [x1, #16]", "ret")                                \
	X(load_pair, "ldp x4, x5, [x1], #16", "ret")                       \
	X(load_signed, "ldrsw x0, [x1, #4]", "ret")                        \
	X(store, "str x2, [x1, #24]", "ret")                               \
	X(store_byte, "strb w2, [x1, #9]", "ret")                          \
	X(acquire, "ldar x0, [x1]", "ret")                                 \
	X(release, "stlr x2, [x1]", "ret")                                 \
	X(barrier, "dmb ish", "ret")                                       \
	X(load_vec, "ldr q1, [x1]", "ret")                                 \
	X(store_vec, "str q2, [x1]", "ret")                                \
	X(fadd, "fadd d0, d1, d2", "ret")                                  \
	X(to_vec, "fmov d3, x2", "ret")                                    \
	X(mul, "madd x0, x2, x3, x4", "ret")                               \
	X(div, "udiv x0, x3, x2", "ret")                                   \
	X(shift, "lsl x0, x2, x3", "ret")                                  \
	X(bits, "ubfx x0, x2, #3, #9", "ret")                              \
	X(move, "movk x0, #0x1234, lsl #16", "ret")                        \
	X(adr, "adr x0, target_leaf", "ret")                               \
	X(adrp, "adrp x0, target_data", "ret")                             \
	X(adr_zero, "adr xzr, target_leaf", "ret")                         \
	X(b, "b target_leaf", "brk #1")                                    \
	X(b_short, "b 1f\n brk #1\n 1:", "ret")                            \
	X(b_eq, "b.eq 1f" SKIP, "ret")                                     \
	X(b_ne, "b.ne 1f" SKIP, "ret")                                     \
	X(b_lt, "b.lt 1f" SKIP, "ret")                                     \
	X(b_hi, "b.hi 1f" SKIP, "ret")                                     \
	X(cbz, "cbz x5, 1f" SKIP, "ret")                                   \
	X(cbnz, "cbnz x5, 1f" SKIP, "ret")                                 \
	X(cbz_32, "cbz w6, 1f" SKIP, "ret")                                \
	X(tbz, "tbz x5, #1, 1f" SKIP, "ret")                               \
	X(tbnz, "tbnz x6, #33, 1f" SKIP, "ret")                            \
	X(bl, "bl target_leaf", "ret x15")                                 \
	X(blr, "blr x11", "ret x15")                                       \
	X(br, "br x11", "brk #1")                                          \
	X(ret, "ret", "brk #1")

#define DECLARE(name, first, rest)                     \
	void probed_##name(void), twin_##name(void);   \
	ASM_FUNCTION(probed_##name, first "\n " rest); \
	ASM_FUNCTION(twin_##name, first "\n " rest);
CASES(DECLARE)

/* Loads s, calls, stores s. */
void enter(void (*fn)(void), struct state *s);
ASM_FUNCTION(enter,
	     "stp x29, x30, [sp, #-160]!\n"
	     "stp x19, x20, [sp, #16]\n stp x21, x22, [sp, #32]\n"
	     "stp x23, x24, [sp, #48]\n stp x25, x26, [sp, #64]\n"
	     "stp x27, x28, [sp, #80]\n stp d8, d9, [sp, #96]\n"
	     "stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n"
	     "stp d14, d15, [sp, #144]\n"
	     "adrp x9, saved_state\n str x1, [x9, #:lo12:saved_state]\n"
	     "adrp x9, saved_sp\n mov x10, sp\n"
	     "str x10, [x9, #:lo12:saved_sp]\n"
	     "mov x30, x0\n mov x29, x1\n"
	     "ldp q0, q1, [x29, #272]\n ldp q2, q3, [x29, #304]\n"
	     "ldr x0, [x29, #248]\n msr nzcv, x0\n"
	     "ldp x0, x1, [x29]\n ldp x2, x3, [x29, #16]\n"
	     "ldp x4, x5, [x29, #32]\n ldp x6, x7, [x29, #48]\n"
	     "ldp x8, x9, [x29, #64]\n ldp x10, x11, [x29, #80]\n"
	     "ldp x12, x13, [x29, #96]\n ldr x14, [x29, #112]\n"
	     "ldp x16, x17, [x29, #128]\n ldp x18, x19, [x29, #144]\n"
	     "ldp x20, x21, [x29, #160]\n ldp x22, x23, [x29, #176]\n"
	     "ldp x24, x25, [x29, #192]\n ldp x26, x27, [x29, #208]\n"
	     "ldp x28, x29, [x29, #224]\n"
	     "adr x15, 1f\n blr x30\n 1:\n"
	     "stp x0, x1, [sp, #-16]!\n"
	     "adrp x0, saved_state\n ldr x0, [x0, #:lo12:saved_state]\n"
	     "stp x2, x3, [x0, #16]\n stp x4, x5, [x0, #32]\n"
	     "stp x6, x7, [x0, #48]\n stp x8, x9, [x0, #64]\n"
	     "stp x10, x11, [x0, #80]\n stp x12, x13, [x0, #96]\n"
	     "str x14, [x0, #112]\n stp x16, x17, [x0, #128]\n"
	     "stp x18, x19, [x0, #144]\n stp x20, x21, [x0, #160]\n"
	     "stp x22, x23, [x0, #176]\n stp x24, x25, [x0, #192]\n"
	     "stp x26, x27, [x0, #208]\n stp x28, x29, [x0, #224]\n"
	     "adr x2, 1b\n sub x2, x2, x30\n str x2, [x0, #240]\n"
	     "mrs x2, nzcv\n str x2, [x0, #248]\n"
	     "ldp x2, x3, [sp], #16\n stp x2, x3, [x0]\n"
	     "adrp x2, saved_sp\n ldr x2, [x2, #:lo12:saved_sp]\n"
	     "mov x3, sp\n sub x3, x3, x2\n str x3, [x0, #256]\n"
	     "mov sp, x2\n"
	     "add x0, x0, #272\n stp q0, q1, [x0]\n stp q2, q3, [x0, #32]\n"
	     "ldp x19, x20, [sp, #16]\n ldp x21, x22, [sp, #32]\n"
	     "ldp x23, x24, [sp, #48]\n ldp x25, x26, [sp, #64]\n"
	     "ldp x27, x28, [sp, #80]\n ldp d8, d9, [sp, #96]\n"
	     "ldp d10, d11, [sp, #112]\n ldp d12, d13, [sp, #128]\n"
	     "ldp d14, d15, [sp, #144]\n"
	     "ldp x29, x30, [sp], #160\n"
	     "ret");

struct state *saved_state;
uint64_t saved_sp;

static void fill(struct state *s, unsigned int seed)
{
	unsigned int i;

	for (i = 0; i < 31; i++)
		s->gpr[i] = 0x0101010101010101ull * (seed * 31 + i + 1);
	s->gpr[1] = (uintptr_t)target_data;
	s->gpr[2] = 10 * seed;
	s->gpr[3] = seed % 4 ? seed * 7 : ~0ull;
	s->gpr[5] = seed % 3;
	s->gpr[6] = (uint64_t)seed << 32;
	s->gpr[11] = (uintptr_t)target_leaf;
	s->flags = (uint64_t)(seed % 16) << 28;
	for (i = 0; i < sizeof(s->vec); i++)
		(&s->vec[0][0])[i] = seed * 7 + i;
	for (i = 0; i < 8; i++)
		target_data[i] = 11 * (i + 1) * (seed + 1);
}

static void compare(const char *name, void (*probed)(void), void (*twin)(void))
{
	struct state a, b;
	long data[8];
	unsigned int seed, i;

	for (seed = 0; seed < 16; seed++) {
		memset(&a, 0, sizeof(a));
		fill(&a, seed);
		b = a;
		enter(twin, &b);
		memcpy(data, target_data, sizeof(data));
		fill(&a, seed);
		enter(probed, &a);
		/* Where the called function was. */
		if (b.gpr[30])
			a.gpr[30] += (uintptr_t)probed - (uintptr_t)twin;
		if (!memcmp(&a, &b, sizeof(a)) &&
		    !memcmp(data, target_data, sizeof(data)))
			continue;
		fprintf(stderr, "%s: another state than its twin's, seed %u\n",
			name, seed);
		for (i = 0; i < sizeof(a) / 8; i++)
			if (((uint64_t *)&a)[i] != ((uint64_t *)&b)[i])
				fprintf(stderr, "  word %u: %lx, not %lx\n", i,
					((uint64_t *)&a)[i],
					((uint64_t *)&b)[i]);
		_exit(1);
	}
}

int main(void)
{
#define COMPARE(name, first, rest) compare(#name, probed_##name, twin_##name);
	CASES(COMPARE)
	puts("all the same");
	return 0;
}

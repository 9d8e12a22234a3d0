// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_emulate.c - every emulated form against the same instruction run by
 * the CPU: registers, flags, stack and target, over flag and register states.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "../suite.h"

#define TF 0x100ul

static struct native_state state, after;

static void check_hex(const char *hex, const char *where)
{
	unsigned char code[ARCH_INSN_MAX];
	size_t len = native_hex(hex, code, sizeof(code));
	const char *diff = native_check(&state, code, len);

	ck_assert_msg(!diff, "%s (%s): %s", hex, where, diff);
}

START_TEST(nops_and_jumps)
{
	static const char *const forms[] = {
		"90",
		"6690",
		"f390",
		"4890",
		"0f1f00",
		"0f1f440000",
		"660f1f440000",
		"0f1f840000000000",
		"662e0f1f840000000000",
		"6666662e0f1f840000000000",
		"0f1f0500000000",
		"0f19c0",
		"f30f1efa",
		"f30f1efb",
		"eb10",
		"ebf0",
		"e900010000",
		"e900ffffff",
		"f2e900010000",
		"e800010000",
		"e800ffffff",
		"67e800010000",
		"f2e800010000",
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		for (int seed = 0; seed < 4; seed++) {
			native_random(&state, seed);
			check_hex(forms[i], "random registers");
		}
	}
}
END_TEST

/* All 32 states of the flags that conditions read. */
START_TEST(conditions)
{
	unsigned char near[6] = { 0x0f, 0, 0x00, 0x01 };
	unsigned char shrt[2] = { 0, 0x90 };

	native_random(&state, _i);
	for (unsigned int f = 0; f < 32; f++) {
		const char *diff;

		state.regs.flags = 0x202 | (f & 1) | (f & 2) << 1 |
				   (f & 4) << 4 | (f & 8) << 4 | (f & 16) << 7;
		shrt[0] = 0x70 + _i;
		diff = native_check(&state, shrt, sizeof(shrt));
		ck_assert_msg(!diff, "7%x flags %lx: %s", _i, state.regs.flags,
			      diff);
		near[1] = 0x80 + _i;
		diff = native_check(&state, near, sizeof(near));
		ck_assert_msg(!diff, "0f8%x flags %lx: %s", _i,
			      state.regs.flags, diff);
	}
}
END_TEST

START_TEST(pushes)
{
	unsigned char code[2] = { _i < 8 ? 0x48 : 0x41, 0x50 | (_i & 7) };

	for (int seed = 0; seed < 3; seed++) {
		const char *diff;

		native_random(&state, 100 + seed);
		diff = native_check(&state, code, 2);
		ck_assert_msg(!diff, "push %d: %s", _i, diff);
		if (_i >= 8)
			continue;
		diff = native_check(&state, code + 1, 1);
		ck_assert_msg(!diff, "push %d: %s", _i, diff);
	}
}
END_TEST

/* A stack that cannot be written: the fault is the program's own. */
START_TEST(unwritable_stack)
{
	native_random(&state, 7);
	state.regs.sp = 0x10008;
	check_hex("e800010000", "no stack");
	check_hex("55", "no stack");
	check_hex("4154", "no stack");

	after = state;
	native_run(&after, NATIVE_VADDR, (unsigned char[]){ 0x55 }, 1,
		   NATIVE_STEP);
	ck_assert_int_eq(after.sig, SIGSEGV);
}
END_TEST

/*
 * The effect of a call as data, and no flag touched: TF, which the program
 * may have set itself, stays for the caller to act upon.
 */
START_TEST(effect)
{
	struct arch_effect e;
	struct arch_insn insn;
	struct pt_regs regs;

	native_random(&state, 9);
	regs = state.regs;
	regs.flags |= TF;
	arch_x86_64.analyze((unsigned char[]){ 0xe8, 0x10, 0, 0, 0 }, 5, &insn);
	ck_assert(arch_x86_64.emulate(&insn, 0x1000, &regs, &e));
	ck_assert_uint_eq(e.regs.ip, 0x1015);
	ck_assert_int_eq(e.access, ARCH_STORE);
	ck_assert_uint_eq(e.addr, regs.sp - 8);
	ck_assert_uint_eq(e.val, 0x1005);
	ck_assert_uint_eq(e.size, 8);
	regs.ip = 0x1015;
	regs.sp -= 8;
	ck_assert(!memcmp(&regs, &e.regs, sizeof(regs)));

	arch_x86_64.analyze((unsigned char[]){ 0x54 }, 1, &insn);
	ck_assert(arch_x86_64.emulate(&insn, 0x1000, &regs, &e));
	ck_assert_uint_eq(e.val, regs.sp);

	/* what is to be stepped is not emulated */
	arch_x86_64.analyze((unsigned char[]){ 0xc3 }, 1, &insn);
	ck_assert(!arch_x86_64.emulate(&insn, 0x1000, &regs, &e));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch/emulate");
	TCase *tc = tcase_create("x86");

	tcase_add_unchecked_fixture(tc, native_start, native_stop);
	tcase_add_test(tc, nops_and_jumps);
	tcase_add_loop_test(tc, conditions, 0, 16);
	tcase_add_loop_test(tc, pushes, 0, 16);
	tcase_add_test(tc, unwritable_stack);
	tcase_add_test(tc, effect);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ret.c - return addresses, living frames, arguments, the table itself.
 */

#include "arch.h"
#include "../suite.h"

#define arch (&arch_x86_64)

static bool alive(unsigned long stack, enum arch_rp_check ctx, unsigned long sp)
{
	return arch->is_alive(stack, ctx, &(struct pt_regs){ .sp = sp });
}

/*
 * A frame whose return address lies at 0x1000: at the entry of a callee, of a
 * function it tail-called, before its ret, after it, and after a longjmp.
 */
START_TEST(frames)
{
	ck_assert(alive(0x1000, ARCH_RP_CALL, 0xff8));
	ck_assert(!alive(0x1000, ARCH_RP_CALL, 0x1000));
	ck_assert(!alive(0x1000, ARCH_RP_CALL, 0x1008));
	ck_assert(alive(0x1000, ARCH_RP_CHAIN_CALL, 0xff8));
	ck_assert(alive(0x1000, ARCH_RP_CHAIN_CALL, 0x1000));
	ck_assert(!alive(0x1000, ARCH_RP_CHAIN_CALL, 0x1008));
	ck_assert(alive(0x1000, ARCH_RP_RET, 0x1000));
	ck_assert(!alive(0x1000, ARCH_RP_RET, 0x1008));
	ck_assert(!alive(0x1000, ARCH_RP_RET, 0x2000));
}
END_TEST

START_TEST(registers)
{
	struct pt_regs regs = { .di = 1,
				.si = 2,
				.dx = 3,
				.cx = 4,
				.r8 = 5,
				.r9 = 6,
				.ax = 7,
				.sp = 0x1000,
				.ip = 0x2000 };
	unsigned long addr = 0;

	for (unsigned int n = 1; n <= 6; n++)
		ck_assert_uint_eq(arch->get_arg(&regs, n), n);
	ck_assert_uint_eq(arch->get_retval(&regs), 7);
	ck_assert(arch->ret_in_memory(&regs, &addr));
	ck_assert_uint_eq(addr, 0x1000);
	ck_assert_uint_eq(arch->get_sp(&regs), 0x1000);
	ck_assert_uint_eq(arch->get_ip(&regs), 0x2000);
	arch->set_ip(&regs, 0x3000);
	ck_assert_uint_eq(regs.ip, 0x3000);
}
END_TEST

START_TEST(table)
{
	ck_assert_str_eq(arch->name, "x86-64");
	ck_assert_uint_eq(arch->bp_len, 1);
	ck_assert_uint_eq(arch->bp[0], 0xcc);
	ck_assert_uint_eq(arch->bp_ip_adjust, 1);
	ck_assert_uint_eq(arch->insn_align, 1);
	/* an instruction and the breakpoint that may end it */
	ck_assert_uint_ge(arch->slot_bytes, ARCH_INSN_MAX + arch->bp_len);
	ck_assert_uint_eq(arch->slot_bytes, 128);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch/ret");
	TCase *tc = tcase_create("x86");

	tcase_add_test(tc, frames);
	tcase_add_test(tc, registers);
	tcase_add_test(tc, table);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ops.c - arch_arm64, the table of functions of 64-bit Arm.
 */
#include "arm64.h"

static unsigned long get_pc(const struct pt_regs *regs)
{
	return regs->a64.pc;
}

static void set_pc(struct pt_regs *regs, unsigned long pc)
{
	regs->a64.pc = pc;
}

static unsigned long get_sp(const struct pt_regs *regs)
{
	return regs->a64.sp;
}

static unsigned long get_lr(const struct pt_regs *regs)
{
	return regs->a64.regs[A64_LR];
}

static void set_lr(struct pt_regs *regs, unsigned long lr)
{
	regs->a64.regs[A64_LR] = lr;
}

const struct arch_ops arch_arm64 = {
	.name = "arm64",
	.machine = 183, /* EM_AARCH64 */
	.bp_len = A64_INSN,
	.bp = { 0xa0, 0x00, 0x20, 0xd4 }, /* brk #5 */
	.bp_ip_adjust = 0,
	/* The kernel's are 4 bytes: it steps by hardware. With a breakpoint
	 * behind the copy it takes 8; as x86-64's, that of the trampoline has
	 * room for what a world puts behind it. */
	.slot_bytes = 128,
	.insn_align = A64_INSN,
	.link_register = true,
	.reg = a64_reg,
	.nr_reg = A64_NR_REG,
	.analyze = a64_analyze,
	.why = a64_why,
	.in_exclusive = a64_in_exclusive,
	.judge = a64_judge,
	.text = a64_text,
	.emulate = a64_simulate,
	.jump_to = a64_jump_to,
	.patch_running = a64_patch_running,
	.pre_xol = a64_pre_xol,
	.post_xol = a64_post_xol,
	.abort_xol = a64_abort_xol,
	.get_ip = get_pc,
	.set_ip = set_pc,
	.get_sp = get_sp,
	.get_retval = a64_get_retval,
	.get_arg = a64_get_arg,
	.ret_in_memory = a64_ret_in_memory,
	.get_lr = get_lr,
	.set_lr = set_lr,
	.strip = a64_strip,
	.is_alive = a64_is_alive,
};

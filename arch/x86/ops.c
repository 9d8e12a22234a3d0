// SPDX-License-Identifier: GPL-2.0-only
/*
 * ops.c - arch_x86_64, the table of functions of 64-bit x86.
 */
#include "x86.h"

static unsigned long get_ip(const struct pt_regs *regs)
{
	return regs->ip;
}

static void set_ip(struct pt_regs *regs, unsigned long ip)
{
	regs->ip = ip;
}

static unsigned long get_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/* There is no link register: ret_in_memory is always true. */
static unsigned long get_lr(const struct pt_regs *regs)
{
	return 0;
}

static void set_lr(struct pt_regs *regs, unsigned long lr)
{
}

/* Exclusive accesses and signed addresses are Arm's. */
static bool in_exclusive(const unsigned char *before, size_t n)
{
	return false;
}

static unsigned long strip(unsigned long addr)
{
	return addr;
}

/* Other CPUs see one byte whole: the breakpoint's, or what it replaced. */
static bool patch_running(const unsigned char *from, const unsigned char *to)
{
	return true;
}

const struct arch_ops arch_x86_64 = {
	.name = "x86-64",
	.machine = 62, /* EM_X86_64 */
	.bp_len = 1,
	.bp = { 0xcc },
	.bp_ip_adjust = 1,
	.slot_bytes = 128,
	.insn_align = 1,
	.reg = x86_reg,
	.nr_reg = X86_NR_REG,
	.analyze = x86_analyze,
	.why = x86_why,
	.in_exclusive = in_exclusive,
	.text = x86_text,
	.emulate = x86_emulate,
	.jump_to = x86_jump_to,
	.patch_running = patch_running,
	.pre_xol = x86_pre_xol,
	.post_xol = x86_post_xol,
	.abort_xol = x86_abort_xol,
	.opt = { [ARCH_OPT_NOP5] = &x86_opt_nop5,
		 [ARCH_OPT_NOP10] = &x86_opt_nop10 },
	.get_ip = get_ip,
	.set_ip = set_ip,
	.get_sp = get_sp,
	.get_retval = x86_get_retval,
	.get_arg = x86_get_arg,
	.ret_in_memory = x86_ret_in_memory,
	.get_lr = get_lr,
	.set_lr = set_lr,
	.strip = strip,
	.is_alive = x86_is_alive,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * toy.c - struct arch_ops for the instructions of trapline/user.h.
 *
 * Kernel-side and instrumented. Registers are copied word by word: what is
 * copied as an aggregate, instrumentation does not see. Liveness of frames is
 * x86's rule.
 */
#include <trapline/user.h>
#include "toy.h"

static void copy_regs(struct pt_regs *to, const struct pt_regs *from)
{
	const unsigned long *s = (const unsigned long *)from;
	unsigned long *d = (unsigned long *)to;
	unsigned int i;

	for (i = 0; i < sizeof(*to) / sizeof(*d); i++)
		d[i] = s[i];
}

static enum arch_verdict toy_analyze(const unsigned char *bytes, size_t n,
				     struct arch_insn *out)
{
	unsigned char insn = n ? bytes[0] : 0;

	if (insn == USER_BP)
		return ARCH_IS_BREAKPOINT;
	if (insn == USER_HLT)
		return ARCH_PRIVILEGED;
	if (insn != USER_NOP && insn != USER_INC && insn != USER_CALL)
		return ARCH_BAD_BYTES;

	out->bytes[0] = insn;
	out->slot[0] = insn;
	out->len = 1;
	out->how = insn == USER_NOP ? ARCH_EMULATE : ARCH_STEP;
	out->flags = ARCH_FIX_IP;
	if (insn == USER_CALL)
		out->flags |= ARCH_FIX_CALL;
	out->scratch = -1;
	return ARCH_OK;
}

static bool toy_emulate(const struct arch_insn *insn, unsigned long vaddr,
			const struct pt_regs *regs, struct arch_effect *out)
{
	copy_regs(&out->regs, regs);
	out->regs.ip = vaddr + 1;
	out->access = ARCH_NO_ACCESS;
	out->trace_trap = false;
	return true;
}

static bool toy_pre_xol(const struct arch_insn *insn, unsigned long vaddr,
			unsigned long slot, struct pt_regs *regs,
			struct arch_step *step)
{
	regs->ip = slot;
	return true;
}

static void toy_post_xol(const struct arch_insn *insn, unsigned long vaddr,
			 unsigned long slot, const struct pt_regs *regs,
			 const struct arch_step *step, struct arch_effect *out)
{
	copy_regs(&out->regs, regs);
	out->regs.ip += vaddr - slot;
	out->access = ARCH_NO_ACCESS;
	if (insn->flags & ARCH_FIX_CALL) {
		out->access = ARCH_STORE;
		out->addr = regs->sp;
		out->val = vaddr + 1;
		out->size = sizeof(out->val);
	}
	out->trace_trap = false;
}

static void toy_abort_xol(const struct arch_insn *insn, unsigned long vaddr,
			  struct pt_regs *regs, const struct arch_step *step)
{
	regs->ip = vaddr;
}

static unsigned long toy_get_ip(const struct pt_regs *regs)
{
	return regs->ip;
}

static void toy_set_ip(struct pt_regs *regs, unsigned long ip)
{
	regs->ip = ip;
}

static unsigned long toy_get_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

static unsigned long toy_get_retval(const struct pt_regs *regs)
{
	return regs->ax;
}

static unsigned long toy_get_arg(const struct pt_regs *regs, unsigned int n)
{
	return n == 1 ? regs->di : regs->si;
}

static bool toy_ret_in_memory(const struct pt_regs *regs, unsigned long *addr)
{
	*addr = regs->sp;
	return true;
}

static unsigned long toy_get_lr(const struct pt_regs *regs)
{
	return 0;
}

static void toy_set_lr(struct pt_regs *regs, unsigned long lr)
{
}

static bool toy_is_alive(unsigned long stack, enum arch_rp_check ctx,
			 const struct pt_regs *regs)
{
	return ctx == ARCH_RP_CALL ? regs->sp < stack : regs->sp <= stack;
}

const struct arch_ops arch_toy = {
	.name = "toy",
	.bp_len = 1,
	.bp = { USER_BP },
	.bp_ip_adjust = 1,
	.slot_bytes = TOY_SLOT_BYTES,
	.insn_align = 1,
	.analyze = toy_analyze,
	.emulate = toy_emulate,
	.pre_xol = toy_pre_xol,
	.post_xol = toy_post_xol,
	.abort_xol = toy_abort_xol,
	.get_ip = toy_get_ip,
	.set_ip = toy_set_ip,
	.get_sp = toy_get_sp,
	.get_retval = toy_get_retval,
	.get_arg = toy_get_arg,
	.ret_in_memory = toy_ret_in_memory,
	.get_lr = toy_get_lr,
	.set_lr = toy_set_lr,
	.is_alive = toy_is_alive,
};

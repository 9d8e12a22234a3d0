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

static unsigned int length(unsigned char insn)
{
	return insn == USER_NOP2 ? 2 : 1;
}

static enum arch_verdict toy_analyze(const unsigned char *bytes, size_t n,
				     struct arch_insn *out)
{
	unsigned char insn = n ? bytes[0] : 0;

	if (insn == USER_BP)
		return ARCH_IS_BREAKPOINT;
	if (insn == USER_HLT)
		return ARCH_PRIVILEGED;
	if (insn != USER_NOP && insn != USER_NOP2 && insn != USER_INC &&
	    insn != USER_CALL)
		return ARCH_BAD_BYTES;
	if (insn == USER_NOP2 && (n < 2 || bytes[1]))
		return ARCH_BAD_BYTES;

	out->bytes[0] = insn;
	out->bytes[1] = 0;
	out->slot[0] = insn;
	out->len = length(insn);
	out->how = insn == USER_NOP || insn == USER_NOP2 ? ARCH_EMULATE
							 : ARCH_STEP;
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
	out->regs.ip = vaddr + length(insn->bytes[0]);
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

/* The second byte of the nop is 0, or analysis would have refused it. */
static bool toy_opt_suits(const struct arch_insn *insn)
{
	return insn->bytes[0] == USER_NOP2;
}

static bool toy_opt_call(unsigned char *to, unsigned long vaddr,
			 unsigned long code)
{
	to[0] = USER_CALL2;
	to[1] = (code - TOY_CODE(0)) / (TOY_CODE(1) - TOY_CODE(0)) + 1;
	return true;
}

static bool toy_opt_target(const unsigned char *bytes, unsigned long vaddr,
			   unsigned long *code)
{
	*code = TOY_CODE(bytes[1] - 1ul);
	return bytes[0] == USER_CALL2;
}

static unsigned int toy_opt_code(unsigned char *to)
{
	to[0] = USER_NOP; /* the machine knows what it stands for */
	return 1;
}

/* Word by word as x86's: ax, r11, cx and the return address. */
static void toy_opt_enter(struct pt_regs *regs, const unsigned long *word)
{
	regs->ax = word[0];
	regs->r11 = word[1];
	regs->cx = word[2];
	regs->ip = word[3] - 2;
	regs->sp += ARCH_OPT_WORDS * sizeof(*word);
}

static void toy_opt_leave(struct pt_regs *regs, unsigned long *word)
{
	word[0] = regs->ax;
	word[1] = regs->r11;
	word[2] = regs->cx;
	if (regs->ip != word[3] - 2)
		word[3] = regs->ip;
	regs->sp -= ARCH_OPT_WORDS * sizeof(*word);
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
	.opt_len = 2,
	.opt_ip = 1,
	.opt_suits = toy_opt_suits,
	.opt_call = toy_opt_call,
	.opt_target = toy_opt_target,
	.opt_code = toy_opt_code,
	.opt_enter = toy_opt_enter,
	.opt_leave = toy_opt_leave,
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

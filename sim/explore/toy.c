// SPDX-License-Identifier: GPL-2.0-only
/*
 * toy.c - struct arch_ops for the instructions of trapline/user.h.
 *
 * Kernel-side and instrumented. Registers are copied word by word: what is
 * copied as an aggregate, instrumentation does not see. Liveness of frames is
 * x86's rule.
 */
#include <linux/string.h>
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
	return insn == USER_NOP4 ? 4 : insn == USER_NOP2 ? 2 : 1;
}

static bool is_nop(unsigned char insn)
{
	return insn == USER_NOP || insn == USER_NOP2 || insn == USER_NOP4;
}

static enum arch_verdict toy_analyze(const unsigned char *bytes, size_t n,
				     struct arch_insn *out)
{
	unsigned char insn = n ? bytes[0] : 0;
	unsigned int i;

	if (insn == USER_BP)
		return ARCH_IS_BREAKPOINT;
	if (insn == USER_HLT)
		return ARCH_PRIVILEGED;
	if (!is_nop(insn) && insn != USER_INC && insn != USER_CALL)
		return ARCH_BAD_BYTES;
	if (n < length(insn) || (length(insn) > 1 && bytes[1]))
		return ARCH_BAD_BYTES;

	for (i = 0; i < length(insn); i++)
		out->bytes[i] = bytes[i];
	out->slot[0] = insn;
	out->len = length(insn);
	out->how = is_nop(insn) ? ARCH_EMULATE : ARCH_STEP;
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

#define CALL2_LEN 2

static const unsigned char nop2[] = { USER_NOP2, 0 };
static const unsigned char nop4[] = { USER_NOP4, 0, 0, 0 };
static const unsigned char lower[] = { USER_LOWER, USER_RED_WORDS };

/* The machine knows what it stands for: so many words its return drops. */
static const unsigned char code2[] = { 0 }, code4[] = { USER_RED_WORDS };

/* The call is the last of the bytes; in front of it is `lower`, or nothing. */
static unsigned int lead(const struct arch_opt *opt)
{
	return opt->len - CALL2_LEN;
}

static bool opt_call(const struct arch_opt *opt, unsigned char *to,
		     unsigned long vaddr, unsigned long code)
{
	unsigned long n = (code - TOY_CODE(0)) / (TOY_CODE(1) - TOY_CODE(0));

	if (n - (vaddr - USER_TEXT) / TOY_REACH > 1)
		return false;
	memcpy(to, lower, lead(opt));
	to += lead(opt);
	to[0] = USER_CALL2;
	to[1] = n + 1;
	return true;
}

static bool opt_target(const struct arch_opt *opt, const unsigned char *bytes,
		       unsigned long vaddr, unsigned long *code)
{
	if (memcmp(bytes, lower, lead(opt)))
		return false;
	bytes += lead(opt);
	*code = TOY_CODE(bytes[1] - 1ul);
	return bytes[0] == USER_CALL2;
}

static unsigned long stacked(const struct arch_opt *opt)
{
	return ARCH_OPT_WORDS * sizeof(long) + opt->red_zone;
}

/* Word by word as x86's: ax, r11, cx and the return address. */
static void opt_enter(const struct arch_opt *opt, struct pt_regs *regs,
		      const unsigned long *word)
{
	regs->ax = word[0];
	regs->r11 = word[1];
	regs->cx = word[2];
	regs->ip = word[3] - opt->len;
	regs->sp += stacked(opt);
}

static void opt_leave(const struct arch_opt *opt, struct pt_regs *regs,
		      unsigned long *word)
{
	word[0] = regs->ax;
	word[1] = regs->r11;
	word[2] = regs->cx;
	if (regs->ip != word[3] - opt->len)
		word[3] = regs->ip;
	regs->sp -= stacked(opt);
}

static const struct arch_opt toy_nop5 = {
	.nop = nop2,
	.len = sizeof(nop2),
	.undo_len = sizeof(nop2),
	.code = code2,
	.code_len = sizeof(code2),
	.code_ip = 1,
	.call = opt_call,
	.target = opt_target,
	.enter = opt_enter,
	.leave = opt_leave,
};

static const struct arch_opt toy_nop10 = {
	.nop = nop4,
	.len = sizeof(nop4),
	.undo_len = sizeof(nop4) - CALL2_LEN,
	.red_zone = USER_RED_WORDS * sizeof(long),
	.code = code4,
	.code_len = sizeof(code4),
	.code_ip = 1,
	.call = opt_call,
	.target = opt_target,
	.enter = opt_enter,
	.leave = opt_leave,
};

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
	.opt = { [ARCH_OPT_NOP5] = &toy_nop5, [ARCH_OPT_NOP10] = &toy_nop10 },
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

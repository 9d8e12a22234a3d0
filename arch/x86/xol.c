// SPDX-License-Identifier: GPL-2.0-only
/*
 * xol.c - an instruction runs out of line: its slot, and what has to be put
 * right before and after.
 *
 * rip-relative operands are rewritten to scratch-relative ones of the same
 * length. The scratch register holds what rip would have been, and is one that
 * no instruction with such an operand uses implicitly (ax, cx and dx would be
 * clobbered under mul, cmpxchg and shifts; sp and bp select another segment).
 */
#include <string.h>

#include "x86.h"

/* The kernel's choice: si, or di if si may be an operand, or bx. */
static int choose_scratch(unsigned int reg, unsigned int vvvv)
{
	if (reg != 6 && vvvv != 6)
		return 6;
	if (reg != 7 && vvvv != 7)
		return 7;
	return 3;
}

static int scratch_word(int number)
{
	switch (number) {
	case 6:
		return X86_WORD(si);
	case 7:
		return X86_WORD(di);
	default:
		return X86_WORD(bx);
	}
}

/*
 * mod=00 rm=101 (disp32 + rip) becomes mod=10 rm=scratch (disp32 + register).
 * What extends rm to r8..r15 was ignored so far and must be off now: REX.B,
 * or the inverted X and B bits of a long VEX, an EVEX or an XOP prefix.
 */
static void rewrite_rip_relative(const struct x86_insn *x,
				 struct arch_insn *insn)
{
	int scratch = choose_scratch((x->modrm >> 3) & 7, x->vvvv & 7);

	if (x->has_rex)
		insn->slot[x->rex_at] &= ~1;
	if (x->vex_len >= 3)
		insn->slot[x->vex_at + 1] |= 0x60;
	insn->slot[x->modrm_at] = 0x80 | (x->modrm & 0x38) | scratch;
	insn->scratch = scratch_word(scratch);
	insn->flags |= ARCH_FIX_SCRATCH;
}

void x86_build_slot(const struct x86_insn *x, struct arch_insn *insn)
{
	memcpy(insn->slot, insn->bytes, x->len);
	if (x->rip_relative && !x->nop)
		rewrite_rip_relative(x, insn);
	/*
	 * An emulated call is stepped only to raise the fault of its store.
	 * As "call next" it does so, and cannot run away if it succeeds.
	 */
	if (insn->op == X86_OP_CALL)
		memset(insn->slot + x->imm_at, 0, 4);
}

/* jmp *0(%rip): the address lies behind it, no register is needed. */
unsigned int x86_jump_to(unsigned char *to, unsigned long addr)
{
	static const unsigned char jmp[] = { 0xff, 0x25, 0, 0, 0, 0 };

	memcpy(to, jmp, sizeof(jmp));
	memcpy(to + sizeof(jmp), &addr, sizeof(addr));
	return sizeof(jmp) + sizeof(addr);
}

bool x86_pre_xol(const struct arch_insn *insn, unsigned long vaddr,
		 unsigned long slot, struct pt_regs *regs,
		 struct arch_step *step)
{
	step->saved_scratch = 0;
	step->user_tf = regs->flags & X86_TF;
	if (insn->flags & ARCH_FIX_SCRATCH) {
		unsigned long *scratch = x86_word(regs, insn->scratch);

		step->saved_scratch = *scratch;
		*scratch = vaddr + insn->len;
	}
	regs->ip = slot;
	return true;
}

static void restore(const struct arch_insn *insn, struct pt_regs *regs,
		    const struct arch_step *step)
{
	if (insn->flags & ARCH_FIX_SCRATCH)
		*x86_word(regs, insn->scratch) = step->saved_scratch;
}

static void set_tf(struct pt_regs *regs, bool on)
{
	regs->flags = on ? regs->flags | X86_TF : regs->flags & ~X86_TF;
}

/*
 * After a system call ip is behind it, or on it for a restart, unless the call
 * replaced the registers (rt_sigreturn, execve). cx is a copy of the return
 * address that the program can see.
 */
static void fix_syscall(const struct arch_insn *insn, unsigned long vaddr,
			unsigned long slot, struct pt_regs *regs)
{
	if (regs->ip == slot || regs->ip == slot + insn->len)
		regs->ip += vaddr - slot;
	if (regs->cx == slot + insn->len)
		regs->cx = vaddr + insn->len;
}

void x86_post_xol(const struct arch_insn *insn, unsigned long vaddr,
		  unsigned long slot, const struct pt_regs *regs,
		  const struct arch_step *step, struct arch_effect *out)
{
	unsigned long next = vaddr + insn->len;

	*out = (struct arch_effect){ .regs = *regs };
	restore(insn, &out->regs, step);
	if (!(insn->flags & ARCH_FIX_FLAGS))
		set_tf(&out->regs, step->user_tf);

	/* The kernel clears the trap flag before it could trap behind a call. */
	out->trace_trap = step->user_tf && !(insn->flags & ARCH_SYSCALL);

	if (insn->flags & ARCH_SYSCALL)
		fix_syscall(insn, vaddr, slot, &out->regs);
	else if (insn->flags & ARCH_FIX_IP)
		out->regs.ip += vaddr - slot;

	if (insn->flags & ARCH_FIX_CALL) {
		if (insn->op == X86_OP_CALL) /* the copy had no displacement */
			out->regs.ip = next + insn->disp;
		out->access = ARCH_STORE;
		out->addr = out->regs.sp;
		out->val = next;
		out->size = 8;
	}
}

void x86_abort_xol(const struct arch_insn *insn, unsigned long vaddr,
		   struct pt_regs *regs, const struct arch_step *step)
{
	restore(insn, regs, step);
	set_tf(regs, step->user_tf);
	regs->ip = vaddr;
}

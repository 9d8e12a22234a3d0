// SPDX-License-Identifier: GPL-2.0-only
/*
 * emulate.c - nop, jmp, jcc, call and push as effects, without a slot.
 *
 * These are most function entries and most patched branches; a slot costs a
 * second trap. No flag is written. If the store of a call or push fails, the
 * caller steps the copy instead, so that the program gets its fault.
 */
#include "x86.h"

#define CF 0x001ul
#define PF 0x004ul
#define ZF 0x040ul
#define SF 0x080ul
#define OF 0x800ul

/* Condition codes come in pairs; the odd one is the negation. */
static bool condition(unsigned int cc, unsigned long flags)
{
	bool less = !(flags & SF) != !(flags & OF);
	bool holds = false;

	switch (cc >> 1) {
	case 0:
		holds = flags & OF;
		break;
	case 1:
		holds = flags & CF;
		break;
	case 2:
		holds = flags & ZF;
		break;
	case 3:
		holds = flags & (CF | ZF);
		break;
	case 4:
		holds = flags & SF;
		break;
	case 5:
		holds = flags & PF;
		break;
	case 6:
		holds = less;
		break;
	case 7:
		holds = less || (flags & ZF);
		break;
	}
	return holds != (cc & 1);
}

static void push(struct arch_effect *e, unsigned long val)
{
	e->regs.sp -= 8;
	e->access = ARCH_STORE;
	e->addr = e->regs.sp;
	e->val = val;
	e->size = 8;
}

bool x86_emulate(const struct arch_insn *insn, unsigned long vaddr,
		 const struct pt_regs *regs, struct arch_effect *out)
{
	unsigned long next = vaddr + insn->len;

	if (insn->how != ARCH_EMULATE)
		return false;
	*out = (struct arch_effect){ .regs = *regs };
	out->regs.ip = next;
	out->trace_trap = regs->flags & X86_TF;

	switch (insn->op) {
	case X86_OP_NOP:
		return true;
	case X86_OP_JCC:
		if (!condition(insn->reg, regs->flags))
			return true;
		/* fall through */
	case X86_OP_JMP:
		out->regs.ip = next + insn->disp;
		return true;
	case X86_OP_CALL:
		out->regs.ip = next + insn->disp;
		push(out, next);
		return true;
	case X86_OP_PUSH:
		/* push rsp stores what rsp was before */
		push(out, ((const unsigned long *)regs)[insn->reg]);
		return true;
	}
	return false;
}

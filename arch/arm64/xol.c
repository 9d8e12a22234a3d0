// SPDX-License-Identifier: GPL-2.0-only
/*
 * xol.c - an instruction runs out of line.
 *
 * All that may run in a slot acts the same at any address and falls through, so
 * the copy is the original and only pc is put right. The copy's page is mapped
 * without PROT_BTI: whatever the branch that led to the probe, it may land there.
 */
#include "arm64.h"

bool a64_pre_xol(const struct arch_insn *insn, unsigned long vaddr,
		 unsigned long slot, struct pt_regs *regs,
		 struct arch_step *step)
{
	*step = (struct arch_step){ 0 };
	regs->a64.pc = slot;
	return true;
}

void a64_post_xol(const struct arch_insn *insn, unsigned long vaddr,
		  unsigned long slot, const struct pt_regs *regs,
		  const struct arch_step *step, struct arch_effect *out)
{
	*out = (struct arch_effect){ .regs = *regs, .load_to = -1 };
	out->regs.a64.pc = vaddr + A64_INSN;
}

void a64_abort_xol(const struct arch_insn *insn, unsigned long vaddr,
		   struct pt_regs *regs, const struct arch_step *step)
{
	regs->a64.pc = vaddr;
}

/*
 * A branch reaches 128 MiB; farther away is only what a register holds, and
 * there is none to spare.
 */
unsigned int a64_jump_to(unsigned char *to, unsigned long addr)
{
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ret.c - the calling convention as far as probes need it: where the return
 * address is, whether a frame still lives, arguments and return value.
 */
#include "x86.h"

bool x86_ret_in_memory(const struct pt_regs *regs, unsigned long *addr)
{
	*addr = regs->sp;
	return true;
}

/*
 * `stack` is where the return address of the frame is, that is sp at its
 * entry. At the entry of a callee sp is lower. At the entry of a function
 * reached by a tail call it is the same, and so is it before the frame's own
 * ret; after that ret it is higher. Stacks that are switched (sigaltstack,
 * coroutines) defeat the comparison, here as in the kernel.
 */
bool x86_is_alive(unsigned long stack, enum arch_rp_check ctx,
		  const struct pt_regs *regs)
{
	if (ctx == ARCH_RP_CALL)
		return regs->sp < stack;
	return regs->sp <= stack;
}

unsigned long x86_get_retval(const struct pt_regs *regs)
{
	return regs->ax;
}

unsigned long x86_get_arg(const struct pt_regs *regs, unsigned int n)
{
	switch (n) {
	case 1:
		return regs->di;
	case 2:
		return regs->si;
	case 3:
		return regs->dx;
	case 4:
		return regs->cx;
	case 5:
		return regs->r8;
	case 6:
		return regs->r9;
	default:
		return 0;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ret.c - the calling convention as far as probes need it: where the return
 * address is, whether a frame still lives, arguments and return value.
 *
 * The return address is in x30 until the function saves it. paciasp signs it
 * there, on the way to the stack; replaced before that, at the function's first
 * instruction, the trampoline's address is signed, and autiasp finds it right.
 * Replaced after that, retaa or autiasp would take it for forged.
 */
#include "arm64.h"

bool a64_ret_in_memory(const struct pt_regs *regs, unsigned long *addr)
{
	return false;
}

/*
 * Signatures fill the bits above the address; bit 55 says whose it is, so that
 * what remains is that bit, as often as needed. 48 bits of address: those of 52
 * are handed out only to who asks for them.
 */
unsigned long a64_strip(unsigned long addr)
{
	unsigned long mask = ~0ul << 48;

	return addr & 1ul << 55 ? addr | mask : addr & ~mask;
}

/*
 * `stack` is sp at the entry of the frame. bl does not change it, nor does ret:
 * at the entry of a callee sp may still be the same, and after the frame's own
 * return it is. So only a chain, b to another function, keeps frames with equal
 * sp apart. Stacks that are switched (sigaltstack, coroutines) defeat the
 * comparison, here as in the kernel.
 */
bool a64_is_alive(unsigned long stack, enum arch_rp_check ctx,
		  const struct pt_regs *regs)
{
	if (ctx == ARCH_RP_CHAIN_CALL)
		return regs->a64.sp <= stack;
	return regs->a64.sp < stack;
}

unsigned long a64_get_retval(const struct pt_regs *regs)
{
	return regs->a64.regs[0];
}

unsigned long a64_get_arg(const struct pt_regs *regs, unsigned int n)
{
	return n >= 1 && n <= 6 ? regs->a64.regs[n - 1] : 0;
}

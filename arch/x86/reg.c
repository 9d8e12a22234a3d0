// SPDX-License-Identifier: GPL-2.0-only
/*
 * reg.c - names of the user registers, for those who name one in a probe.
 *
 * The first name is what tracefs accepts; the kernel has no others.
 */
#include "x86.h"

const struct arch_reg x86_reg[X86_NR_REG] = {
	{ "r15", NULL, "r15d", X86_WORD(r15) },
	{ "r14", NULL, "r14d", X86_WORD(r14) },
	{ "r13", NULL, "r13d", X86_WORD(r13) },
	{ "r12", NULL, "r12d", X86_WORD(r12) },
	{ "r11", NULL, "r11d", X86_WORD(r11) },
	{ "r10", NULL, "r10d", X86_WORD(r10) },
	{ "r9", NULL, "r9d", X86_WORD(r9) },
	{ "r8", NULL, "r8d", X86_WORD(r8) },
	{ "bp", "rbp", "ebp", X86_WORD(bp) },
	{ "bx", "rbx", "ebx", X86_WORD(bx) },
	{ "ax", "rax", "eax", X86_WORD(ax) },
	{ "cx", "rcx", "ecx", X86_WORD(cx) },
	{ "dx", "rdx", "edx", X86_WORD(dx) },
	{ "si", "rsi", "esi", X86_WORD(si) },
	{ "di", "rdi", "edi", X86_WORD(di) },
	{ "sp", "rsp", "esp", X86_WORD(sp) },
	{ "ip", "rip", "eip", X86_WORD(ip) },
	{ "flags", "rflags", "eflags", X86_WORD(flags) },
	{ "orig_ax", NULL, NULL, X86_WORD(orig_ax) },
	{ "cs", NULL, NULL, X86_WORD(cs) },
	{ "ss", NULL, NULL, X86_WORD(ss) },
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * opt.c - a probed nop becomes a call: the bytes of the call, the code that it
 * calls, and what registers mean on either side of that.
 *
 * The code saves the three registers that a system call changes, makes the
 * system call `uprobe` (336, Linux 6.18), restores them, and returns. With the
 * call's own push that makes four words on the program's stack.
 */
#include <string.h>

#include "x86.h"

#define CALL_LEN 5
#define OPCODE_CALL 0xe8

/* The words, from sp upwards. */
enum { WORD_AX, WORD_R11, WORD_CX, WORD_RET };

static const unsigned char trampoline[] = {
	0x51,			      /* push %rcx */
	0x41, 0x53,		      /* push %r11 */
	0x50,			      /* push %rax */
	0xb8, 0x50, 0x01, 0x00, 0x00, /* mov $336,%eax */
	0x0f, 0x05,		      /* syscall */
	0x58,			      /* pop %rax */
	0x41, 0x5b,		      /* pop %r11 */
	0x59,			      /* pop %rcx */
	0xc3,			      /* ret */
};
_Static_assert(sizeof(trampoline) <= ARCH_OPT_CODE_MAX, "");

/* The one nop of five bytes that compilers and linkers leave for this. */
bool x86_opt_suits(const struct arch_insn *insn)
{
	static const unsigned char nop5[CALL_LEN] = { 0x0f, 0x1f, 0x44 };

	return insn->len == CALL_LEN && !memcmp(insn->bytes, nop5, CALL_LEN);
}

bool x86_opt_call(unsigned char *to, unsigned long vaddr, unsigned long code)
{
	long distance = code - (vaddr + CALL_LEN);
	int rel = distance;

	if (rel != distance)
		return false;
	to[0] = OPCODE_CALL;
	memcpy(to + 1, &rel, sizeof(rel));
	return true;
}

bool x86_opt_target(const unsigned char *bytes, unsigned long vaddr,
		    unsigned long *code)
{
	int rel;

	if (bytes[0] != OPCODE_CALL)
		return false;
	memcpy(&rel, bytes + 1, sizeof(rel));
	*code = vaddr + CALL_LEN + rel;
	return true;
}

unsigned int x86_opt_code(unsigned char *to)
{
	memcpy(to, trampoline, sizeof(trampoline));
	return sizeof(trampoline);
}

void x86_opt_enter(struct pt_regs *regs, const unsigned long *word)
{
	regs->ax = word[WORD_AX];
	regs->r11 = word[WORD_R11];
	regs->cx = word[WORD_CX];
	regs->ip = word[WORD_RET] - CALL_LEN;
	regs->sp += ARCH_OPT_WORDS * sizeof(*word);
}

void x86_opt_leave(struct pt_regs *regs, unsigned long *word)
{
	word[WORD_AX] = regs->ax;
	word[WORD_R11] = regs->r11;
	word[WORD_CX] = regs->cx;
	if (regs->ip != word[WORD_RET] - CALL_LEN)
		word[WORD_RET] = regs->ip;
	regs->sp -= ARCH_OPT_WORDS * sizeof(*word);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * opt.c - a probed nop becomes a call: its bytes, the code that it calls, and
 * what registers mean on either side of that.
 *
 * The code saves the three registers that a system call changes, makes the
 * system call `uprobe` (336, Linux 6.18), restores them, and returns. With the
 * call's own push that makes four words on the program's stack: of a nop of five
 * bytes they are in the red zone, which a leaf function may use. A nop of ten is
 * long enough to step over that first (7.2), and `ret` takes it back.
 */
#include <string.h>

#include "x86.h"

#define CALL_LEN 5
#define OPCODE_CALL 0xe8

/* The words, from sp upwards. */
enum { WORD_AX, WORD_R11, WORD_CX, WORD_RET };

/* What compilers and linkers leave for this: nopl 0(%rax,%rax,1), and with %cs. */
static const unsigned char nop5[] = { 0x0f, 0x1f, 0x44, 0, 0 };
static const unsigned char nop10[] = { 0x66, 0x2e, 0x0f, 0x1f, 0x84,
				       0,    0,	   0,	 0,    0 };

/* lea -128(%rsp),%rsp; unlike sub, it leaves flags alone. */
static const unsigned char step_over[] = { 0x48, 0x8d, 0x64, 0x24, 0x80 };

/* Where ip is in the system call. */
#define CODE_IP 11
#define CODE                                                      \
	0x51,				      /* push %rcx */     \
		0x41, 0x53,		      /* push %r11 */     \
		0x50,			      /* push %rax */     \
		0xb8, 0x50, 0x01, 0x00, 0x00, /* mov $336,%eax */ \
		0x0f, 0x05,		      /* syscall */       \
		0x58,			      /* pop %rax */      \
		0x41, 0x5b,		      /* pop %r11 */      \
		0x59			      /* pop %rcx */

static const unsigned char code5[] = { CODE, 0xc3 /* ret */ };
static const unsigned char code10[] = { CODE, 0xc2, 0x80, 0 /* ret $128 */ };

/* The call is the last of the bytes; in front of it is step_over, or nothing. */
static unsigned int lead(const struct arch_opt *opt)
{
	return opt->len - CALL_LEN;
}

static bool call(const struct arch_opt *opt, unsigned char *to,
		 unsigned long vaddr, unsigned long code)
{
	long distance = code - (vaddr + opt->len);
	int rel = distance;

	if (rel != distance)
		return false;
	memcpy(to, step_over, lead(opt));
	to += lead(opt);
	to[0] = OPCODE_CALL;
	memcpy(to + 1, &rel, sizeof(rel));
	return true;
}

static bool target(const struct arch_opt *opt, const unsigned char *bytes,
		   unsigned long vaddr, unsigned long *code)
{
	int rel;

	if (memcmp(bytes, step_over, lead(opt)))
		return false;
	bytes += lead(opt);
	if (bytes[0] != OPCODE_CALL)
		return false;
	memcpy(&rel, bytes + 1, sizeof(rel));
	*code = vaddr + opt->len + rel;
	return true;
}

static unsigned long stacked(const struct arch_opt *opt)
{
	return ARCH_OPT_WORDS * sizeof(long) + opt->red_zone;
}

static void enter(const struct arch_opt *opt, struct pt_regs *regs,
		  const unsigned long *word)
{
	regs->ax = word[WORD_AX];
	regs->r11 = word[WORD_R11];
	regs->cx = word[WORD_CX];
	regs->ip = word[WORD_RET] - opt->len;
	regs->sp += stacked(opt);
}

static void leave(const struct arch_opt *opt, struct pt_regs *regs,
		  unsigned long *word)
{
	word[WORD_AX] = regs->ax;
	word[WORD_R11] = regs->r11;
	word[WORD_CX] = regs->cx;
	if (regs->ip != word[WORD_RET] - opt->len)
		word[WORD_RET] = regs->ip;
	regs->sp -= stacked(opt);
}

const struct arch_opt x86_opt_nop5 = {
	.nop = nop5,
	.len = sizeof(nop5),
	.undo_len = sizeof(nop5),
	.code = code5,
	.code_len = sizeof(code5),
	.code_ip = CODE_IP,
	.call = call,
	.target = target,
	.enter = enter,
	.leave = leave,
};

/* Undone, the call's opcode is the nop's SIB byte, its distance the displacement. */
const struct arch_opt x86_opt_nop10 = {
	.nop = nop10,
	.len = sizeof(nop10),
	.undo_len = sizeof(nop10) - CALL_LEN,
	.red_zone = 128,
	.code = code10,
	.code_len = sizeof(code10),
	.code_ip = CODE_IP,
	.call = call,
	.target = target,
	.enter = enter,
	.leave = leave,
};

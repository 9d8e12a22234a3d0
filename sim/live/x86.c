// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86.c - regs.h on x86-64.
 */
#include <libunwind.h>
#include <linux/audit.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <ucontext.h>

#include "regs.h"

_Static_assert(sizeof(struct user_regs_struct) <= sizeof(struct pt_regs),
	       "PTRACE_GETREGS fills a struct pt_regs");

#define USER_CS_64 0x33
#define TRAP_FLAG 0x100ul
#define FRAME_FLAGS 184 /* of the saved flags, from a handler's first sp */

/* __libunwind is LLVM's; _U and _UL are libunwind's. */
static const char *const unwinders[] = {
	"__libunwind_Registers_x86_64_jumpto",
	"_Ux86_64_getcontext",
	"_Ux86_64_step",
	"_Ux86_64_resume",
	"_Ux86_64_setcontext",
	"_ULx86_64_step",
	"_ULx86_64_resume",
	NULL,
};

const struct regs_abi regs_abi = {
	.xol = 0x7fffffffe000,
	.breakpoint = SI_KERNEL,
	.audit_arch = AUDIT_ARCH_X86_64,
	.call = { 0x0f, 0x05 },
	.call_len = 2,
	/* mov $15,%rax; syscall */
	.sigreturn = { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 },
	.sigreturn_len = 9,
	.epoll_wait = SYS_epoll_wait,
	.vfork = SYS_vfork,
	.unwinders = unwinders,
};

/* ---- of a stopped task --------------------------------------------------------- */

int regs_read(pid_t tid, struct pt_regs *regs)
{
	return ptrace(PTRACE_GETREGS, tid, 0, regs);
}

/* More than so many words are cheaper together. */
#define MAX_POKES 2

int regs_write(pid_t tid, const struct pt_regs *regs, const struct pt_regs *has)
{
	const unsigned long *want = (const unsigned long *)regs;
	const unsigned long *old = (const unsigned long *)has;
	unsigned int changed[MAX_POKES], nr = 0, i;
	int err = 0;

	for (i = 0; i < sizeof(struct user_regs_struct) / sizeof(*want); i++) {
		if (want[i] == old[i])
			continue;
		if (nr == MAX_POKES)
			return ptrace(PTRACE_SETREGS, tid, 0, regs);
		changed[nr++] = i;
	}
	for (i = 0; i < nr && !err; i++)
		err = ptrace(PTRACE_POKEUSER, tid, changed[i] * sizeof(*want),
			     (void *)want[changed[i]]);
	return err;
}

bool regs_equal(const struct pt_regs *a, const struct pt_regs *b)
{
	return !memcmp(a, b, sizeof(struct user_regs_struct));
}

bool regs_native(const struct pt_regs *regs)
{
	return regs->cs == USER_CS_64;
}

/* ---- system calls --------------------------------------------------------------- */

long regs_call(pid_t tid, const struct pt_regs *regs)
{
	return regs->orig_ax;
}

unsigned long regs_call_arg(const struct pt_regs *regs)
{
	return regs->di;
}

unsigned long regs_call_result(const struct pt_regs *regs)
{
	return regs->ax;
}

void regs_make_call(pid_t tid, struct pt_regs *regs, unsigned long insn,
		    long nr, const unsigned long arg[6])
{
	regs->ip = insn;
	regs->ax = nr;
	regs->orig_ax = -1ul;
	regs->di = arg[0];
	regs->si = arg[1];
	regs->dx = arg[2];
	regs->r10 = arg[3];
	regs->r8 = arg[4];
	regs->r9 = arg[5];
}

void regs_set_call(pid_t tid, struct pt_regs *regs, long nr)
{
	regs->orig_ax = nr;
}

void regs_call_again(struct pt_regs *regs, long nr, unsigned long arg)
{
	regs->ax = nr;
	regs->ip -= regs_abi.call_len;
}

bool regs_is_sigaction_32(unsigned int audit_arch, long nr)
{
	return audit_arch == AUDIT_ARCH_I386 &&
	       (nr == 48 || nr == 67 || nr == 174);
}

/* ---- single steps of the program's own ------------------------------------------ */

bool regs_steps_itself(const struct pt_regs *regs)
{
	return regs->flags & TRAP_FLAG;
}

void regs_steps_as(struct pt_regs *regs, const struct pt_regs *as)
{
	regs->flags &= ~TRAP_FLAG;
	regs->flags |= as->flags & TRAP_FLAG;
}

bool regs_frame_flag(const struct pt_regs *regs, unsigned long *addr,
		     unsigned long *flag)
{
	*addr = regs->sp + FRAME_FLAGS;
	*flag = TRAP_FLAG;
	return true;
}

/* ---- frames --------------------------------------------------------------------- */

unsigned long regs_frame(const struct pt_regs *regs)
{
	return regs->sp;
}

enum regs_exit regs_exit(const unsigned char *op)
{
	while ((*op & 0xfe) == 0xf2 || (*op & 0xf0) == 0x40)
		op++;
	if ((*op & 0xfe) == 0xc2)
		return REGS_RETURNS;
	if (*op == 0xff && (op[1] & 0xf8) == 0xe0)
		return REGS_JUMPS;
	return REGS_STAYS;
}

const unsigned long *regs_unwound(const struct pt_regs *r, int reg)
{
	const unsigned long *const at[] = {
		[UNW_X86_64_RAX] = &r->ax,  [UNW_X86_64_RDX] = &r->dx,
		[UNW_X86_64_RCX] = &r->cx,  [UNW_X86_64_RBX] = &r->bx,
		[UNW_X86_64_RSI] = &r->si,  [UNW_X86_64_RDI] = &r->di,
		[UNW_X86_64_RBP] = &r->bp,  [UNW_X86_64_RSP] = &r->sp,
		[UNW_X86_64_R8] = &r->r8,   [UNW_X86_64_R9] = &r->r9,
		[UNW_X86_64_R10] = &r->r10, [UNW_X86_64_R11] = &r->r11,
		[UNW_X86_64_R12] = &r->r12, [UNW_X86_64_R13] = &r->r13,
		[UNW_X86_64_R14] = &r->r14, [UNW_X86_64_R15] = &r->r15,
		[UNW_X86_64_RIP] = &r->ip,
	};

	if (reg < 0 || (size_t)reg >= sizeof(at) / sizeof(*at))
		return NULL;
	return at[reg];
}

bool regs_leave(struct pt_regs *regs, regs_peek peek, void *arg)
{
	if (!peek(arg, regs->sp, &regs->ip))
		return false;
	regs->sp += sizeof(long);
	return true;
}

/* The handler's return has taken the word in front of it. */
bool regs_interrupted(struct pt_regs *r, unsigned long sp, regs_peek peek,
		      void *arg)
{
	unsigned long at = sp + offsetof(ucontext_t, uc_mcontext.gregs);
	static const int from[] = { REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12,
				    REG_R13, REG_R14, REG_R15, REG_RDI, REG_RSI,
				    REG_RBP, REG_RBX, REG_RDX, REG_RAX, REG_RCX,
				    REG_RSP, REG_RIP };
	unsigned long *const to[] = { &r->r8,  &r->r9,	&r->r10, &r->r11,
				      &r->r12, &r->r13, &r->r14, &r->r15,
				      &r->di,  &r->si,	&r->bp,	 &r->bx,
				      &r->dx,  &r->ax,	&r->cx,	 &r->sp,
				      &r->ip };
	unsigned int i;

	for (i = 0; i < sizeof(from) / sizeof(*from); i++)
		if (!peek(arg, at + 8 * from[i], to[i]))
			return false;
	return true;
}

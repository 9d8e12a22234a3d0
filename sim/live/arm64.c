// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm64.c - regs.h on 64-bit Arm.
 *
 * Here the kernel decides whether a call is to be made again before it stops for
 * a signal, and ptrace shows no trace of the call from then on: at such a stop
 * pc is at the instruction again, or the call has failed for good. The hardware
 * single step is no flag of the program's.
 */
#include <elf.h>
#include <libunwind.h>
#include <linux/audit.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <ucontext.h>

#include "regs.h"

_Static_assert(sizeof(struct user_regs_struct) ==
		       sizeof(((struct pt_regs *)0)->a64),
	       "NT_PRSTATUS fills a struct pt_regs");

#define LR 30
#define CALL_NR 8	      /* register that says which call */
#define PSTATE_32 0x10ul      /* of a 32-bit program */
#define SIGNAL_FRAME_INFO 128 /* bytes of siginfo in front of the ucontext */

/* __libunwind is LLVM's; _U and _UL are libunwind's. */
static const char *const unwinders[] = {
	"__libunwind_Registers_arm64_jumpto",
	"_Uaarch64_getcontext",
	"_Uaarch64_step",
	"_Uaarch64_resume",
	"_Uaarch64_setcontext",
	"_ULaarch64_step",
	"_ULaarch64_resume",
	NULL,
};

const struct regs_abi regs_abi = {
	.xol = 0xfffffffff000,
	.breakpoint = TRAP_BRKPT,
	.audit_arch = AUDIT_ARCH_AARCH64,
	/* svc #0 */
	.call = { 0x01, 0x00, 0x00, 0xd4 },
	.call_len = 4,
	/* mov x8, #139; svc #0 */
	.sigreturn = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 },
	.sigreturn_len = 8,
	.epoll_wait = -1,
	.vfork = -1,
	.unwinders = unwinders,
};

/* ---- of a stopped task --------------------------------------------------------- */

int regs_read(pid_t tid, struct pt_regs *regs)
{
	struct iovec all = { &regs->a64, sizeof(regs->a64) };

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all))
		return -1;
	/* A 32-bit program has fewer. */
	if (all.iov_len < sizeof(regs->a64))
		regs->a64.pstate = PSTATE_32;
	return 0;
}

int regs_write(pid_t tid, const struct pt_regs *regs, const struct pt_regs *has)
{
	struct pt_regs copy = *regs;
	struct iovec all = { &copy.a64, sizeof(copy.a64) };

	if (regs_equal(regs, has))
		return 0;
	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all);
}

bool regs_equal(const struct pt_regs *a, const struct pt_regs *b)
{
	return !memcmp(&a->a64, &b->a64, sizeof(a->a64));
}

bool regs_native(const struct pt_regs *regs)
{
	return !(regs->a64.pstate & PSTATE_32);
}

/* ---- system calls --------------------------------------------------------------- */

long regs_call(pid_t tid, const struct pt_regs *regs)
{
	int nr = -1;
	struct iovec one = { &nr, sizeof(nr) };

	return ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL, &one) ? -1
								       : nr;
}

unsigned long regs_call_arg(const struct pt_regs *regs)
{
	return regs->a64.regs[0];
}

unsigned long regs_call_result(const struct pt_regs *regs)
{
	return regs->a64.regs[0];
}

void regs_make_call(pid_t tid, struct pt_regs *regs, unsigned long insn,
		    long nr, const unsigned long arg[6])
{
	regs_set_call(tid, regs, -1);
	regs->a64.pc = insn;
	regs->a64.regs[CALL_NR] = nr;
	memcpy(regs->a64.regs, arg, 6 * sizeof(*arg));
}

void regs_set_call(pid_t tid, struct pt_regs *regs, long nr)
{
	int word = nr;
	struct iovec one = { &word, sizeof(word) };

	ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &one);
}

void regs_call_again(struct pt_regs *regs, long nr, unsigned long arg)
{
	regs->a64.regs[0] = arg;
	regs->a64.regs[CALL_NR] = nr;
	regs->a64.pc -= regs_abi.call_len;
}

bool regs_is_sigaction_32(unsigned int audit_arch, long nr)
{
	return false;
}

/* ---- single steps of the program's own ------------------------------------------ */

bool regs_steps_itself(const struct pt_regs *regs)
{
	return false;
}

void regs_steps_as(struct pt_regs *regs, const struct pt_regs *as)
{
}

bool regs_frame_flag(const struct pt_regs *regs, unsigned long *addr,
		     unsigned long *flag)
{
	return false;
}

/* ---- frames --------------------------------------------------------------------- */

unsigned long regs_frame(const struct pt_regs *regs)
{
	return regs->a64.sp - sizeof(long);
}

/* ret, retaa, retab; br, braa, brab and their forms with a modifier. */
enum regs_exit regs_exit(const unsigned char *bytes)
{
	unsigned int word;

	memcpy(&word, bytes, sizeof(word));
	if ((word & 0xfffff000) == 0xd65f0000)
		return REGS_RETURNS;
	if ((word & 0xfefff000) == 0xd61f0000)
		return REGS_JUMPS;
	return REGS_STAYS;
}

const unsigned long *regs_unwound(const struct pt_regs *r, int reg)
{
	if (reg >= UNW_AARCH64_X0 && reg <= UNW_AARCH64_X30)
		return &r->a64.regs[reg - UNW_AARCH64_X0];
	if (reg == UNW_AARCH64_SP)
		return &r->a64.sp;
	return reg == UNW_AARCH64_PC ? &r->a64.pc : NULL;
}

bool regs_leave(struct pt_regs *regs, regs_peek peek, void *arg)
{
	regs->a64.pc = arch_native->strip(regs->a64.regs[LR]);
	return true;
}

/* In the order of mcontext_t: x0 .. x30, sp, pc. */
bool regs_interrupted(struct pt_regs *regs, unsigned long sp, regs_peek peek,
		      void *arg)
{
	unsigned long at = sp + SIGNAL_FRAME_INFO +
			   offsetof(ucontext_t, uc_mcontext.regs);
	unsigned long *to = regs->a64.regs;

	for (; to <= &regs->a64.pc; to++, at += sizeof(*to))
		if (!peek(arg, at, to))
			return false;
	return true;
}

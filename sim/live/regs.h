/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regs.h - what sim/live has to know of this machine's processor beside the
 * instructions (arch_native): how ptrace hands out registers, how a system call
 * is made, what the kernel leaves on a stack, which unwinders there are.
 *
 * Implemented by x86.c or arm64.c, whichever the build is for; nothing else in
 * this folder names a register. Not-thread-safe like all of it; needs no fibre.
 */
#ifndef SIM_LIVE_REGS_H
#define SIM_LIVE_REGS_H

#include <stdbool.h>
#include <sys/types.h>

#include "arch.h"

/* What is constant. */
struct regs_abi {
	unsigned long xol;	 /* where the kernel has its page of copies */
	int breakpoint;		 /* si_code of a breakpoint's SIGTRAP */
	unsigned int audit_arch; /* AUDIT_ARCH_* of the native calls */
	/* The instruction that makes a system call. */
	unsigned char call[4];
	unsigned int call_len;
	/* What a signal handler returns to. */
	unsigned char sigreturn[9];
	unsigned int sigreturn_len;
	/* Calls that not all processors' kernels have; -1: nor this one's. */
	long epoll_wait, vfork;
	/* Names of unwinders' functions, up to NULL, beside those of all. */
	const char *const *unwinders;
};
extern const struct regs_abi regs_abi;

/* ---- of a stopped task: 0, or -1 with ptrace's errno ------------------------- */

int regs_read(pid_t tid, struct pt_regs *regs);
/* What differs from `has`, which it had. */
int regs_write(pid_t tid, const struct pt_regs *regs,
	       const struct pt_regs *has);
bool regs_equal(const struct pt_regs *a, const struct pt_regs *b);
/* Of a program for this processor, not of a 32-bit one. */
bool regs_native(const struct pt_regs *regs);

/* ---- system calls --------------------------------------------------------------- */

/* The call that the task is in, or whose end it has still to see; else -1. */
long regs_call(pid_t tid, const struct pt_regs *regs);
/* Its first argument, while it is inside; its result, behind it. */
unsigned long regs_call_arg(const struct pt_regs *regs);
unsigned long regs_call_result(const struct pt_regs *regs);
/* It is to make this one, by the instruction at `insn`; it is in no other. */
void regs_make_call(pid_t tid, struct pt_regs *regs, unsigned long insn,
		    long nr, const unsigned long arg[6]);
/* As after call nr, or with -1 as after none: regs are to be written, too. */
void regs_set_call(pid_t tid, struct pt_regs *regs, long nr);
/* Call nr, whose result it has, is to be made again; its first argument was arg. */
void regs_call_again(struct pt_regs *regs, long nr, unsigned long arg);
/* Does this call, of a 32-bit program, change a signal's action? */
bool regs_is_sigaction_32(unsigned int audit_arch, long nr);

/* ---- single steps of the program's own ------------------------------------------ */

/* It is at them: they are told by a flag that it can set. */
bool regs_steps_itself(const struct pt_regs *regs);
/* That flag becomes what it is in `as`. */
void regs_steps_as(struct pt_regs *regs, const struct pt_regs *as);
/*
 * At the first instruction of a signal handler: where the frame has the flags,
 * and which of them that is. False: there is nothing of that in a frame.
 */
bool regs_frame_flag(const struct pt_regs *regs, unsigned long *addr,
		     unsigned long *flag);

/* ---- frames --------------------------------------------------------------------- */

/*
 * At a function's entry or return: the word where its return address is, or
 * would be, were it not in a register: the topmost word of its frame.
 */
unsigned long regs_frame(const struct pt_regs *regs);
/* How an instruction of these bytes may leave its function. */
enum regs_exit { REGS_STAYS, REGS_RETURNS, REGS_JUMPS };
enum regs_exit regs_exit(const unsigned char *bytes);

/* A word of the program's memory; false: it cannot be read. */
typedef bool (*regs_peek)(void *arg, unsigned long addr, unsigned long *value);

/* The register that libunwind calls reg; NULL: none of these. */
const unsigned long *regs_unwound(const struct pt_regs *regs, int reg);
/* From a function's first instruction to its caller. */
bool regs_leave(struct pt_regs *regs, regs_peek peek, void *arg);
/* From what sp was in a returned handler to what the signal interrupted. */
bool regs_interrupted(struct pt_regs *regs, unsigned long sp, regs_peek peek,
		      void *arg);

#endif /* SIM_LIVE_REGS_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * again.c - system calls that fail when they are stopped.
 *
 * Most interrupted calls are made again by the kernel if no handler comes
 * between. These are not: the program would see an error that only our stop, or
 * a signal that nobody but a tracer notices, has caused. They have done nothing
 * yet then, so they are made again here.
 */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "regs.h"
#include "tracee.h"

static bool fails_when_stopped(long nr)
{
	if (nr == regs_abi.epoll_wait)
		return true;
	switch (nr) {
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_rt_sigtimedwait:
	case SYS_io_getevents:
	case SYS_io_pgetevents:
	case SYS_io_uring_enter:
	case SYS_read:
	case SYS_write:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_accept:
	case SYS_accept4:
		return true;
	}
	return false;
}

/* While they wait, another mask is in force, which cannot be read. */
static bool has_mask_of_its_own(long nr)
{
	return nr == SYS_epoll_pwait || nr == SYS_epoll_pwait2 ||
	       nr == SYS_io_pgetevents;
}

void live_call_failed(struct live_task *t, long result)
{
	/* Whoever was to get the signal, this task or another: a stop follows. */
	if (result != -EINTR || !fails_when_stopped(t->call.nr))
		return;
	t->failed_call = t->call.nr;
	ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
}

/* These end such a call even if nobody traces. */
static unsigned long stops(void)
{
	return sigbit(SIGSTOP) | sigbit(SIGTSTP) | sigbit(SIGTTIN) |
	       sigbit(SIGTTOU);
}

/*
 * A signal is still to come that ends the call, too. One without a handler does
 * not, and any thread may take it before this one.
 */
static bool is_pending(struct live_task *t, long nr)
{
	unsigned long ending = live_proc_number(t->tid, "SigCgt:", 16) |
			       stops();
	unsigned long mask = 0;

	if (!has_mask_of_its_own(nr))
		tracee_getmask(t, &mask);
	return tracee_pending(t, ending & ~mask, NULL, true);
}

void live_call_again(struct live_task *t, int sig)
{
	long nr, failed = t->failed_call;

	if (WSTOPSIG(t->status) == LIVE_SYSCALL_STOP)
		return;
	t->failed_call = -1;
	if (!t->regs_valid ||
	    regs_call_result(&t->regs) != -(unsigned long)EINTR)
		return;
	/* Not every processor's kernel says it at this stop, too. */
	nr = regs_call(t->tid, &t->regs);
	if (nr < 0)
		nr = failed;
	if (nr < 0 || !fails_when_stopped(nr))
		return;
	if (t->group_stop || (sig ? sigbit(sig) & stops() : is_pending(t, nr)))
		return;
	regs_call_again(&t->regs, nr, t->call.arg[0]);
}

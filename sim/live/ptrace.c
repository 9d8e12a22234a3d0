// SPDX-License-Identifier: GPL-2.0-only
/*
 * ptrace.c - ptrace requests on a stopped task.
 *
 * Any of them may find that the task was killed meanwhile (-ESRCH): its wait
 * status is then on the way, and until it comes nothing can be done to it.
 */
#include <errno.h>
#include <sys/ptrace.h>

#include "regs.h"
#include "tracee.h"

#define NR_PEEK 16

unsigned long sigbit(int sig)
{
	return 1ul << (sig - 1);
}

/* Of a request that failed or not; none is made of a task that is dying. */
static int outcome(struct live_task *t, bool failed)
{
	if (!failed)
		return 0;
	if (t->dying)
		return -ESRCH;
	if (errno == ESRCH)
		t->dying = true;
	return -errno;
}

static int request(struct live_task *t, int what, unsigned long addr,
		   void *data)
{
	return outcome(t, t->dying || ptrace(what, t->tid, addr, data) == -1);
}

int tracee_getregs(struct live_task *t)
{
	int err = outcome(t, t->dying || regs_read(t->tid, &t->regs));

	/* seen is what it was resumed with, until here. */
	if (t->resumed) {
		t->stood_still = regs_equal(&t->seen, &t->regs);
		t->resumed = false;
	}
	t->seen = t->regs;
	t->regs_valid = !err;
	return err;
}

int tracee_setregs(struct live_task *t)
{
	int err;

	if (!t->regs_valid)
		return 0;
	err = outcome(t, t->dying || regs_write(t->tid, &t->regs, &t->seen));
	t->seen = t->regs;
	return err;
}

int tracee_getsiginfo(struct live_task *t, siginfo_t *info)
{
	return request(t, PTRACE_GETSIGINFO, 0, info);
}

int tracee_setsiginfo(struct live_task *t, const siginfo_t *info)
{
	siginfo_t copy = *info;

	return request(t, PTRACE_SETSIGINFO, 0, &copy);
}

int tracee_getmask(struct live_task *t, unsigned long *mask)
{
	return request(t, PTRACE_GETSIGMASK, sizeof(*mask), mask);
}

int tracee_setmask(struct live_task *t, unsigned long mask)
{
	return request(t, PTRACE_SETSIGMASK, sizeof(mask), &mask);
}

int tracee_setoptions(struct live_task *t, unsigned long options)
{
	return request(t, PTRACE_SETOPTIONS, 0, (void *)options);
}

int tracee_getcall(struct live_task *t, struct __ptrace_syscall_info *info)
{
	return request(t, PTRACE_GET_SYSCALL_INFO, sizeof(*info), info);
}

int tracee_resume(struct live_task *t, int how, int sig)
{
	tracee_setregs(t);
	t->resumed = t->regs_valid;
	t->stood_still = false;
	t->regs_valid = false;
	return request(t, how, 0, (void *)(long)sig);
}

/* PTRACE_PEEKSIGINFO returns how many it copied. */
static int first_of(struct live_task *t, int flags, unsigned long set,
		    siginfo_t *info, bool to_the_end)
{
	struct __ptrace_peeksiginfo_args args = { .flags = flags,
						  .nr = NR_PEEK };
	siginfo_t queue[NR_PEEK];
	long i, n;

	do {
		n = ptrace(PTRACE_PEEKSIGINFO, t->tid, &args, queue);
		for (i = 0; i < n; i++) {
			if (!(sigbit(queue[i].si_signo) & set))
				continue;
			if (info)
				*info = queue[i];
			return queue[i].si_signo;
		}
		args.off += n;
	} while (to_the_end && n > 0);
	return 0;
}

int tracee_pending(struct live_task *t, unsigned long set, siginfo_t *info,
		   bool to_the_end)
{
	int sig;

	if (t->dying)
		return 0;
	sig = first_of(t, 0, set, info, to_the_end);
	return sig ? sig
		   : first_of(t, PTRACE_PEEKSIGINFO_SHARED, set, info,
			      to_the_end);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * held.c - signals that came when they could not be delivered.
 */
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracee.h"

void live_hold(struct live_task *t, const siginfo_t *info)
{
	unsigned int i;

	for (i = 0; i < t->nr_held; i++)
		if (t->held[i].si_signo == info->si_signo)
			return; /* ordinary signals do not queue */
	if (t->nr_held < LIVE_MAX_HELD)
		t->held[t->nr_held++] = *info;
}

/*
 * Only of a thread that is still where it was let go it is known that it has run
 * into no breakpoint; of others, that they just came behind ours without having
 * been in it is possible for one byte, and not likely.
 */
static bool may_have_hit(const struct live_task *t, unsigned long at)
{
	return !t->stood_still &&
	       (at == t->mm->xol || live_patch_is_in(t->mm, at));
}

static bool has_stepped(const struct live_task *t, unsigned long at)
{
	const struct live_stepping *s = &t->step;

	if (s->request == PTRACE_SINGLESTEP)
		return arch_native->get_ip(&t->regs) != s->slot;
	return s->request == PTRACE_CONT && at == s->slot + s->insn->len;
}

bool live_trap_merged(const struct live_task *t, const siginfo_t *info)
{
	unsigned long at = arch_native->get_ip(&t->regs) -
			   arch_native->bp_ip_adjust;

	if (info->si_signo != SIGTRAP || info->si_code > 0)
		return false;
	if (t->step.on)
		return has_stepped(t, at);
	/* What is sent to the process has a queue of its own. */
	return info->si_code != SI_USER && may_have_hit(t, at);
}

/* Queue it for t as it came; only t itself may say where it came from. */
static void send_again(struct live_task *t, const siginfo_t *info)
{
	unsigned long arg[6] = { t->tgid, t->tid, info->si_signo };

	if (!live_scratch(t, info, LIVE_SCRATCH, &arg[3]) &&
	    !live_syscall(t, SYS_rt_tgsigqueueinfo, arg))
		return;
	syscall(SYS_tgkill, t->tgid, t->tid, info->si_signo);
}

/*
 * What to deliver now: sig, or what was held. Further ones are sent again, as
 * all are at a stop that can deliver none; a fault's signal has to be delivered
 * where it is.
 */
int live_take_signal(struct live_task *t, int sig)
{
	bool can_deliver = !(t->status >> 16) &&
			   WSTOPSIG(t->status) != LIVE_SYSCALL_STOP;
	unsigned int i, n = t->nr_held;
	siginfo_t held[LIVE_MAX_HELD];

	memcpy(held, t->held, n * sizeof(*held));
	t->nr_held = 0;
	if (!sig && n == 1 && can_deliver) {
		tracee_setsiginfo(t, held);
		return held->si_signo;
	}
	for (i = 0; i < n; i++)
		if (sig && can_deliver)
			syscall(SYS_tgkill, t->tgid, t->tid, held[i].si_signo);
		else
			send_again(t, &held[i]);
	return sig;
}

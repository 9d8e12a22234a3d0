/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/sched/signal.h - what the probe code asks of signals.
 *
 * The world keeps the pending sets. TIF_SIGPENDING says "look at them".
 *
 * 	function			lock		sleeps	scheduling point
 * 	task_sigpending, signal_pending	none		no	yes
 * 	fatal_signal_pending		none		no	yes
 * 	force_*, sim_signal_*		takes siglock	no	yes
 * 	recalc_sigpending		siglock is held	no	yes
 * Context: any; force_*, recalc_sigpending and sim_signal_take: the task itself,
 * which gets the signal on its way back to user mode. Leaves out queues and masks;
 * a task has its siglock for itself, and no signals in common with others.
 */
#ifndef LINUX_SCHED_SIGNAL_H
#define LINUX_SCHED_SIGNAL_H

#include <linux/sched.h>
#include <linux/signal.h>
#include <machine.h>

#define task_sigpending(task) test_tsk_thread_flag(task, TIF_SIGPENDING)
#define signal_pending(task) task_sigpending(task)
#define __fatal_signal_pending(task) machine_fatal_pending(task)
#define fatal_signal_pending(task) \
	(task_sigpending(task) && __fatal_signal_pending(task))

/* Does a sleep in this state end because of a signal? */
static inline int signal_pending_state(unsigned int state,
				       struct task_struct *task)
{
	if (!(state & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)))
		return 0;
	if (!signal_pending(task))
		return 0;
	return (state & TASK_INTERRUPTIBLE) || __fatal_signal_pending(task);
}

void force_sig(int sig);
/* send_sig(SIGTRAP, current, 0), where that stands for a trap of the CPU's. */
void force_trace_trap(void);
/* Set TIF_SIGPENDING of the current task as there are signals, or clear it. */
void recalc_sigpending(void);

/* The world has queued a signal for the task. */
void sim_signal_add(struct task_struct *task);
/* The world delivers all that it has; what was forced goes to *out. */
struct sim_resume;
void sim_signal_take(struct sim_resume *out);

#endif /* LINUX_SCHED_SIGNAL_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/sched/signal.h - what the probe code asks of signals.
 *
 * The world keeps the pending sets. TIF_SIGPENDING says "look at them".
 *
 * 	function			sleeps	scheduling point
 * 	task_sigpending, signal_pending	no	yes
 * 	fatal_signal_pending		no	yes
 * 	force_sig, force_trace_trap	no	yes
 * Context: any; force_*: the task itself, which gets the signal on its way back
 * to user mode. Leaves out queues, masks and siglock.
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

#endif /* LINUX_SCHED_SIGNAL_H */

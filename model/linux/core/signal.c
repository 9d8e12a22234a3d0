// SPDX-License-Identifier: GPL-2.0-only
/*
 * signal.c - whether a task has signals to look at.
 *
 * Stands for kernel/signal.c. The world keeps the queues; here is one word for
 * "something is in them" and TIF_SIGPENDING, both changed under siglock by who
 * sends and by who takes.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <sim/entry.h>

void sim_signal_add(struct task_struct *task)
{
	spin_lock_irq(&task->sighand->siglock);
	task->sim_signals = true;
	set_tsk_thread_flag(task, TIF_SIGPENDING);
	spin_unlock_irq(&task->sighand->siglock);
}

void force_sig(int sig)
{
	spin_lock_irq(&current->sighand->siglock);
	current->sim_forced_sig = sig;
	set_thread_flag(TIF_SIGPENDING);
	spin_unlock_irq(&current->sighand->siglock);
}

void force_trace_trap(void)
{
	spin_lock_irq(&current->sighand->siglock);
	current->sim_trace_trap = true;
	set_thread_flag(TIF_SIGPENDING);
	spin_unlock_irq(&current->sighand->siglock);
}

void recalc_sigpending(void)
{
	if (current->sim_signals || current->sim_forced_sig ||
	    current->sim_trace_trap)
		set_thread_flag(TIF_SIGPENDING);
	else
		clear_thread_flag(TIF_SIGPENDING);
}

void sim_signal_take(struct sim_resume *out)
{
	spin_lock_irq(&current->sighand->siglock);
	if (current->sim_forced_sig) {
		out->force_sig = current->sim_forced_sig;
		current->sim_forced_sig = 0;
	}
	if (current->sim_trace_trap) {
		out->trace_trap = true;
		current->sim_trace_trap = false;
	}
	current->sim_signals = false;
	recalc_sigpending();
	spin_unlock_irq(&current->sighand->siglock);
}

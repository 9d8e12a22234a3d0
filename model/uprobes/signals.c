// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals.c - a signal that was denied in a step comes back: two designs.
 *
 * Both take TIF_SIGPENDING away, so that the task goes on with its step. Mirrors
 * uprobe_deny_signal and handle_singlestep of kernel/events/uprobes.c.
 *
 * flag (6.15): a bool of the task's own says that one was denied. No lock: who
 * queues a signal sets the flag himself, after ours was cleared or before. The
 * price is a flag for nothing if another thread takes a signal of the process.
 *
 * siglock (up to 6.14): what is pending is looked up again, under the lock under
 * which it is queued; without it
 *
 *	task, after its step		sender
 *	nothing is pending
 *					queue a signal
 *					set TIF_SIGPENDING
 *	clear TIF_SIGPENDING
 *
 * loses a signal.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

static void flag_deny(struct uprobe_task *utask)
{
	utask->signal_denied = true;
	clear_thread_flag(TIF_SIGPENDING);
}

static void flag_restore(struct uprobe_task *utask)
{
	if (utask->signal_denied) {
		set_thread_flag(TIF_SIGPENDING);
		utask->signal_denied = false;
	}
}

const struct uprobe_signals uprobe_signals_flag = {
	.name = "flag",
	.deny = flag_deny,
	.restore = flag_restore,
};

static void siglock_deny(struct uprobe_task *utask)
{
	spin_lock_irq(&current->sighand->siglock);
	clear_thread_flag(TIF_SIGPENDING);
	spin_unlock_irq(&current->sighand->siglock);
}

static void siglock_restore(struct uprobe_task *utask)
{
	spin_lock_irq(&current->sighand->siglock);
	recalc_sigpending();
	spin_unlock_irq(&current->sighand->siglock);
}

const struct uprobe_signals uprobe_signals_siglock = {
	.name = "siglock",
	.deny = siglock_deny,
	.restore = siglock_restore,
};

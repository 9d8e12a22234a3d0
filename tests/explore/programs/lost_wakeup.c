// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sleeper looks for work, then says that it sleeps: who brings work in between wakes
 * it too early. -DQUEUE: it says so by standing in a queue. FIXED: it looks afterwards.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/wait.h>
#include <trapline/scenario.h>

void sim_set_current(struct task_struct *t);

static struct task_struct me;
static DECLARE_WAIT_QUEUE_HEAD(queue);
static int work;

#ifdef QUEUE
static struct wait_queue_entry entry = {
	.private = &me,
	.func = autoremove_wake_function,
	.entry = LIST_HEAD_INIT(entry.entry),
};

static void say(void)
{
	prepare_to_wait(&queue, &entry, TASK_UNINTERRUPTIBLE);
}

static void wake(void)
{
	wake_up(&queue);
}
#else
static void say(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
}

static void wake(void)
{
	wake_up_process(&me);
}
#endif

SCENARIO_THREAD(sleeper)
{
	sim_set_current(&me);
#ifdef FIXED
	say();
	if (READ_ONCE(work))
		return;
#else
	if (READ_ONCE(work))
		return;
	say();
#endif
	schedule();
}

SCENARIO_THREAD(waker)
{
	WRITE_ONCE(work, 1);
	smp_mb();
	wake();
}

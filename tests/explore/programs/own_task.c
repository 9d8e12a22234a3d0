// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that nobody gave a task waits and is woken, in three ways. EARLY: it is
 * woken before there is what it waits for.
 */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <trapline/scenario.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static struct completion done;
static struct task_struct *task;
static int work;

SCENARIO_SETUP()
{
	init_completion(&done);
}

SCENARIO_THREAD(sleeper)
{
#if WAY == 1
	wait_event(queue, READ_ONCE(work));
#elif WAY == 2
	wait_for_completion(&done);
	BUG_ON(work != 1);
#else
	WRITE_ONCE(task, current);
	set_current_state(TASK_UNINTERRUPTIBLE);
	if (!READ_ONCE(work))
		schedule();
	__set_current_state(TASK_RUNNING);
#endif
}

SCENARIO_THREAD(waker)
{
#if WAY == 1 && defined(EARLY)
	wake_up(&queue);
	WRITE_ONCE(work, 1);
#elif WAY == 1
	WRITE_ONCE(work, 1);
	wake_up(&queue);
#elif WAY == 2
	work = 1;
	complete(&done);
#else
	struct task_struct *sleeper;

	WRITE_ONCE(work, 1);
	smp_mb();
	sleeper = READ_ONCE(task);
	if (sleeper)
		wake_up_process(sleeper);
#endif
}

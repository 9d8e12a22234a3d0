// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_sync.c - waiting, and counting sequences.
 */
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/seqlock.h>
#include <linux/wait.h>
#include "fixture.h"

void case_seq_reader(void)
{
	static seqcount_rwlock_t s;
	unsigned int start = read_seqcount_begin(&s);

	BUG_ON(read_seqcount_retry(&s, start));
	write_seqcount_begin(&s);
	BUG_ON(!read_seqcount_retry(&s, start));
	write_seqcount_end(&s);
	BUG_ON(!read_seqcount_retry(&s, start));
	start = read_seqcount_begin(&s);
	BUG_ON(read_seqcount_retry(&s, start));
}

void case_seq_try_begin(void)
{
	seqcount_t s;
	unsigned int start;

	seqcount_init(&s);
	BUG_ON(!raw_seqcount_try_begin(&s, start));
	BUG_ON(start != 0);
	raw_write_seqcount_begin(&s);
	BUG_ON(raw_seqcount_try_begin(&s, start));
	raw_write_seqcount_end(&s);
	BUG_ON(!raw_seqcount_try_begin(&s, start) || start != 2);
}

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int condition, sleeps;

/* One waker for all cases: the condition, then the wake-up. */
static void satisfy_and_wake(void)
{
	BUG_ON(!waitqueue_active(&queue));
	sleeps++;
	condition = 1;
	wake_up(&queue);
}

void case_wait_done_already(void)
{
	struct mm_struct *mm = start_task();

	/* True before anything is queued, never afterwards. */
	wait_event(queue, !waitqueue_active(&queue));
	end_task(mm);
}

void case_wait_woken(void)
{
	struct mm_struct *mm = start_task();

	world_on_sleep(satisfy_and_wake);
	wait_event(queue, condition);
	BUG_ON(sleeps != 1 || waitqueue_active(&queue));
	BUG_ON(current->__state != TASK_RUNNING);
	end_task(mm);
}

static void wake_for_nothing(void)
{
	if (sleeps++ == 0)
		wake_up_all(&queue);
	else
		satisfy_and_wake();
}

void case_wait_spurious(void)
{
	struct mm_struct *mm = start_task();

	world_on_sleep(wake_for_nothing);
	wait_event(queue, condition);
	BUG_ON(sleeps != 3);
	end_task(mm);
}

/* An interruptible wait ends, an uninterruptible one does not. */
void case_wait_signal(void)
{
	struct mm_struct *mm = start_task();

	set_thread_flag(TIF_SIGPENDING);
	BUG_ON(wait_event_interruptible(queue, condition) != -ERESTARTSYS);
	BUG_ON(waitqueue_active(&queue));

	world_on_sleep(satisfy_and_wake);
	BUG_ON(wait_event_killable(queue, condition) || sleeps != 1);
	condition = 0;
	fatal_pending = 1;
	BUG_ON(wait_event_killable(queue, condition) != -ERESTARTSYS);
	wait_event(queue, condition);
	BUG_ON(sleeps != 2);
	end_task(mm);
}

/* Woken entries leave the queue; those that slept in vain stay on it. */
void case_wait_leaves_queue(void)
{
	struct mm_struct *mm = start_task();
	DEFINE_WAIT(entry);

	prepare_to_wait(&queue, &entry, TASK_UNINTERRUPTIBLE);
	BUG_ON(current->__state != TASK_UNINTERRUPTIBLE);
	wake_up_interruptible(&queue);
	BUG_ON(!waitqueue_active(&queue));
	wake_up(&queue);
	BUG_ON(waitqueue_active(&queue) || current->__state);

	prepare_to_wait(&queue, &entry, TASK_INTERRUPTIBLE);
	finish_wait(&queue, &entry);
	BUG_ON(waitqueue_active(&queue) || current->__state);

	entry.func = default_wake_function;
	add_wait_queue(&queue, &entry);
	wake_up(&queue);
	BUG_ON(!waitqueue_active(&queue));
	remove_wait_queue(&queue, &entry);
	BUG_ON(waitqueue_active(&queue));
	end_task(mm);
}

static struct completion done;

static void complete_it(void)
{
	sleeps++;
	complete(&done);
}

void case_completion_counts(void)
{
	struct mm_struct *mm = start_task();

	init_completion(&done);
	complete(&done);
	complete(&done);
	wait_for_completion(&done);
	wait_for_completion(&done);
	world_on_sleep(complete_it);
	wait_for_completion(&done);
	BUG_ON(sleeps != 1);
	complete_all(&done);
	wait_for_completion(&done);
	wait_for_completion(&done);
	complete(&done);
	BUG_ON(done.done != UINT_MAX);
	end_task(mm);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * work.c - deferred work: on a worker, or on the task's own way to user mode.
 *
 * Mirrors the entry points of kernel/workqueue.c (the queue itself is the
 * world's) and kernel/task_work.c. Left out: cancelling.
 */
#include <linux/errno.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

static void run_work(struct work_struct *work)
{
	work_func_t func = work->func;

	/* Before the function: it may free the work, or queue it again. */
	clear_bit(WORK_STRUCT_PENDING_BIT, &work->data);
	smp_mb__after_atomic();
	func(work);
}

bool schedule_work(struct work_struct *work)
{
	if (test_and_set_bit(WORK_STRUCT_PENDING_BIT, &work->data))
		return false;
	sim_work_queue(work, run_work);
	return true;
}

/* In task_works: no more is taken, the task is exiting. */
static struct callback_head work_exited;

int task_work_add(struct task_struct *task, struct callback_head *work,
		  enum task_work_notify_mode mode)
{
	struct callback_head *head = READ_ONCE(task->task_works);

	do {
		if (unlikely(head == &work_exited))
			return -ESRCH;
		work->next = head;
	} while (!try_cmpxchg(&task->task_works, &head, work));

	if (mode != TWA_NONE)
		set_tsk_thread_flag(task, TIF_NOTIFY_RESUME);
	return 0;
}

void task_work_run(void)
{
	struct task_struct *task = current;
	struct callback_head *work, *next, *rest;

	for (;;) {
		work = READ_ONCE(task->task_works);
		do {
			if (!work && !(task->flags & PF_EXITING))
				return;
			rest = work ? NULL : &work_exited;
		} while (!try_cmpxchg(&task->task_works, &work, rest));
		if (!work)
			return;
		for (; work; work = next) {
			next = work->next;
			work->func(work);
		}
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_work.c - what a task still has to do on its own way to user mode.
 *
 * Mirrors the entry points of kernel/task_work.c. Left out: cancelling.
 */
#include <linux/errno.h>
#include <linux/task_work.h>

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

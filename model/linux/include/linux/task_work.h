/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/task_work.h - work that a task does on its way to user mode.
 *
 * 	function			order	sleeps	scheduling point
 * 	init_task_work			none	no	no
 * 	task_work_add			full	no	yes
 * 	task_work_run			full	yes	yes
 * Context: task_work_add: any, of any task; -ESRCH once that task is exiting.
 * task_work_run: the task itself, no locks. Leaves out cancelling, and waking
 * the task: the world puts it through the loop at its next stop.
 */
#ifndef LINUX_TASK_WORK_H
#define LINUX_TASK_WORK_H

#include <linux/sched.h>
#include <linux/types.h>

typedef void (*task_work_func_t)(struct callback_head *work);

enum task_work_notify_mode { TWA_NONE, TWA_RESUME, TWA_SIGNAL };

static inline void init_task_work(struct callback_head *work,
				  task_work_func_t func)
{
	work->func = func;
}

int task_work_add(struct task_struct *task, struct callback_head *work,
		  enum task_work_notify_mode mode);
/* Run all, in no promised order; from an exiting task on, no more is taken. */
void task_work_run(void);

#endif /* LINUX_TASK_WORK_H */

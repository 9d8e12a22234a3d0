/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/sched/task.h - the world decides how long a task lives.
 */
#ifndef LINUX_SCHED_TASK_H
#define LINUX_SCHED_TASK_H

#include <linux/sched.h>

#endif /* LINUX_SCHED_TASK_H */

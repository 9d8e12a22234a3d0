/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/workqueue.h - work run later, where it may sleep.
 *
 * 	function			lock	sleeps	scheduling point
 * 	INIT_WORK			none	no	no
 * 	schedule_work			none	no	yes
 * Context: any. Queued while pending is queued once; it may be queued again from
 * the moment its function starts. Leaves out delays, flushing and other queues.
 */
#ifndef LINUX_WORKQUEUE_H
#define LINUX_WORKQUEUE_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/list.h>
#include <linux/timer.h>

struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);

#define WORK_STRUCT_PENDING_BIT 0

struct work_struct {
	unsigned long data; /* bit 0: pending */
	work_func_t func;
};

#define __WORK_INITIALIZER(name, f) \
	{                           \
		.func = (f)         \
	}
#define DECLARE_WORK(name, f) \
	struct work_struct name = __WORK_INITIALIZER(name, f)
#define INIT_WORK(work, f)          \
	do {                        \
		(work)->data = 0;   \
		(work)->func = (f); \
	} while (0)

/* Returns false if it was pending already. */
bool schedule_work(struct work_struct *work);

#endif /* LINUX_WORKQUEUE_H */

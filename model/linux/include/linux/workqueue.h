/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/workqueue.h - work run later, where it may sleep.
 *
 * 	function			order	sleeps	scheduling point
 * 	INIT_WORK			none	no	no
 * 	schedule_work, queue_work	full	no	yes
 * 	cancel_work			full	no	yes
 * 	cancel_work_sync, flush_work	full	yes	yes: until it has run
 * 	work_pending			none	no	yes
 * Context: any; those that sleep: task, and not from the work's own function. Queued
 * while pending is queued once; it may be queued again from the moment its function
 * starts, but does not run twice at once. The item may be freed by its function, and
 * by others once that has started. While cancel_work_sync waits it cannot be queued.
 * Leaves out delays and queues other than the system's; the plain build also leaves
 * out cancelling and flushing.
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
	unsigned long sim_last; /* see core/work.c */
};

#define __WORK_INITIALIZER(name, f) \
	{                           \
		.func = (f)         \
	}
#define DECLARE_WORK(name, f) \
	struct work_struct name = __WORK_INITIALIZER(name, f)
#define INIT_WORK(work, f)            \
	do {                          \
		(work)->data = 0;     \
		(work)->sim_last = 0; \
		(work)->func = (f);   \
	} while (0)

/* Returns false if it was pending already. */
bool schedule_work(struct work_struct *work);
/* These return whether it was pending; flush_work: whether there was a wait. */
bool cancel_work(struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);
bool flush_work(struct work_struct *work);

#define work_pending(work) test_bit(WORK_STRUCT_PENDING_BIT, &(work)->data)

/* The system's queues; all are one. */
enum sim_workqueue { system_wq, system_unbound_wq, system_highpri_wq };
#define queue_work(wq, work) ((void)(wq), schedule_work(work))

#endif /* LINUX_WORKQUEUE_H */

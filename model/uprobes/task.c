// SPDX-License-Identifier: GPL-2.0-only
/*
 * task.c - a task's probe state, from its first hit to exit or exec.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.15..6.18.
 */
#include <linux/bug.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include "uprobes/uprobes.h"

struct uprobe_task *alloc_utask(void)
{
	struct uprobe_task *utask = kzalloc_obj(struct uprobe_task);

	if (!utask)
		return NULL;
	timer_setup(&utask->ri_timer, ri_timer, 0);
	seqcount_init(&utask->ri_seqcount);
	return utask;
}

struct uprobe_task *get_utask(void)
{
	if (!current->utask)
		current->utask = alloc_utask();
	return current->utask;
}

void uprobe_free_utask(struct task_struct *t)
{
	struct uprobe_task *utask = t->utask;
	struct return_instance *ri;

	if (!utask)
		return;

	/* First: an interrupt on this CPU may unwind and look at it (P12). */
	t->utask = NULL;
	WARN_ON_ONCE(utask->active_uprobe || utask->xol_vaddr);

	/* Nobody walks from here on, so every instance ends in the pool. */
	timer_delete_sync(&utask->ri_timer);
	while ((ri = utask->return_instances)) {
		utask->return_instances = ri->next;
		free_ret_instance(utask, ri, true);
	}
	while ((ri = utask->ri_pool)) {
		utask->ri_pool = ri->next;
		ri_drop(ri);
	}
	kfree(utask);
}

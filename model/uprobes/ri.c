// SPDX-License-Identifier: GPL-2.0-only
/*
 * ri.c - life of a return instance, and the timer that looks at it from outside.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.13..6.18, as far as the designs of
 * storage agree: ri_pool.c and ri_kmalloc.c have what they differ in. Only
 * ri_timer walks a task's list from elsewhere, inside RCU.
 */
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

struct return_instance *alloc_return_instance(struct uprobe_task *utask)
{
	return uprobe_variant()->storage->alloc(utask) ?: ZERO_SIZE_PTR;
}

struct return_instance *push_consumer(struct return_instance *ri, u64 id,
				      u64 cookie)
{
	struct return_consumer *ric = &ri->consumer;
	struct return_instance *bigger;

	if (ri->cons_cnt) {
		bigger = uprobe_variant()->storage->grow(ri);
		if (!bigger) {
			ri_drop(ri);
			return ZERO_SIZE_PTR;
		}
		ri = bigger;
		ric = &ri->extra_consumers[ri->cons_cnt - 1];
	}
	ric->id = id;
	ric->cookie = cookie;
	ri->cons_cnt++;
	return ri;
}

struct return_instance *dup_return_instance(const struct return_instance *old)
{
	return uprobe_variant()->storage->dup(old);
}

void ri_drop(struct return_instance *ri)
{
	uprobe_variant()->storage->drop(ri);
}

void free_ret_instance(struct uprobe_task *utask, struct return_instance *ri,
		       bool cleanup_hprobe)
{
	enum hprobe_state hstate;

	if (cleanup_hprobe) {
		hprobe_consume(&ri->hprobe, &hstate);
		hprobe_finalize(&ri->hprobe, hstate);
	}
	uprobe_variant()->storage->free(utask, ri);
}

void ri_expire_all(struct uprobe_task *utask)
{
	struct return_instance *ri;

	for (ri = rcu_dereference_raw(utask->return_instances); ri;
	     ri = rcu_dereference_raw(ri->next))
		hprobe_expire(&ri->hprobe, false);
}

void ri_timer(struct timer_list *timer)
{
	struct uprobe_task *utask = container_of(timer, struct uprobe_task,
						 ri_timer);
	int idx;

	/* SRCU for the uprobes, RCU for the instances. */
	idx = srcu_read_lock(&uretprobes_srcu);
	rcu_read_lock();
	uprobe_variant()->storage->expire(utask);
	rcu_read_unlock();
	srcu_read_unlock(&uretprobes_srcu, idx);
}

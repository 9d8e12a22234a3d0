// SPDX-License-Identifier: GPL-2.0-only
/*
 * ri_pool.c - where return instances come from and go, and the timer that
 * looks at them from outside.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.14..6.18. The pool belongs to its
 * task and has no lock. Only ri_timer walks a task's list from elsewhere; it
 * announces itself in ri_seqcount (P10):
 *
 *	owner				ri_timer
 *	head = next			counter odd
 *	state <- CONSUMED		read head, walk
 *	counter odd?			counter even
 *	 even: reuse at once
 *	 odd: free after RCU
 */
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include "uprobes/uprobes.h"

static struct return_instance *ri_pool_pop(struct uprobe_task *utask)
{
	struct return_instance *ri = utask->ri_pool;

	if (ri)
		utask->ri_pool = ri->next;
	return ri;
}

/* extra_consumers stays with it, for the next who needs an array. */
static void ri_pool_push(struct uprobe_task *utask, struct return_instance *ri)
{
	ri->cons_cnt = 0;
	ri->next = utask->ri_pool;
	utask->ri_pool = ri;
}

struct return_instance *alloc_return_instance(struct uprobe_task *utask)
{
	struct return_instance *ri = ri_pool_pop(utask);

	if (!ri)
		ri = kzalloc_obj(struct return_instance);
	return ri ?: ZERO_SIZE_PTR;
}

/* The array may go at once: ri_timer never looks at it. */
void ri_free(struct return_instance *ri)
{
	kfree(ri->extra_consumers);
	kfree_rcu(ri, rcu);
}

/* The owner has unlinked ri. */
void free_ret_instance(struct uprobe_task *utask, struct return_instance *ri,
		       bool cleanup_hprobe)
{
	enum hprobe_state hstate;
	unsigned int seq;

	if (cleanup_hprobe) {
		hprobe_consume(&ri->hprobe, &hstate);
		hprobe_finalize(&ri->hprobe, hstate);
	}

	if (raw_seqcount_try_begin(&utask->ri_seqcount, seq))
		ri_pool_push(utask, ri);
	else
		ri_free(ri);
}

void ri_timer(struct timer_list *timer)
{
	struct uprobe_task *utask = container_of(timer, struct uprobe_task,
						 ri_timer);
	struct return_instance *ri;
	int idx;

	/* SRCU for the uprobes, RCU for the instances. */
	idx = srcu_read_lock(&uretprobes_srcu);
	rcu_read_lock();

	raw_write_seqcount_begin(&utask->ri_seqcount);
	for (ri = rcu_dereference_raw(utask->return_instances); ri;
	     ri = rcu_dereference_raw(ri->next))
		hprobe_expire(&ri->hprobe);
	raw_write_seqcount_end(&utask->ri_seqcount);

	rcu_read_unlock();
	srcu_read_unlock(&uretprobes_srcu, idx);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ri_pool.c - return instances that their task keeps and uses again.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.14..6.18. The pool belongs to its
 * task and has no lock. An instance may be used again at once only if ri_timer is
 * not at it, so the timer announces itself in ri_seqcount (P10):
 *
 *	owner				ri_timer
 *	head = next			counter odd
 *	state <- CONSUMED		read head, walk
 *	counter odd?			counter even
 *	 even: reuse at once
 *	 odd: free after RCU
 */
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

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

static struct return_instance *pool_alloc(struct uprobe_task *utask)
{
	return ri_pool_pop(utask) ?: kzalloc_obj(struct return_instance);
}

/* The first consumer is in the instance itself, the others in an array. */
static struct return_instance *pool_grow(struct return_instance *ri)
{
	struct return_consumer *array = krealloc(
		ri->extra_consumers, ri->cons_cnt * sizeof(*array), GFP_KERNEL);

	if (!array)
		return NULL;
	ri->extra_consumers = array;
	return ri;
}

/*
 * As in the kernel, an array that is there but not in use has two owners then: see
 * traces/races/shared-array.
 */
static struct return_instance *pool_dup(const struct return_instance *old)
{
	struct return_instance *ri = kmemdup(old, sizeof(*ri), GFP_KERNEL);

	if (!ri || old->cons_cnt <= 1)
		return ri;
	ri->extra_consumers = kmemdup(
		old->extra_consumers,
		(old->cons_cnt - 1) * sizeof(*ri->extra_consumers), GFP_KERNEL);
	if (!ri->extra_consumers) {
		kfree(ri);
		return NULL;
	}
	return ri;
}

/* The array may go at once: ri_timer never looks at it. */
static void ri_free(struct return_instance *ri)
{
	kfree(ri->extra_consumers);
	kfree_rcu(ri, rcu);
}

static void pool_free(struct uprobe_task *utask, struct return_instance *ri)
{
	unsigned int seq;

	if (raw_seqcount_try_begin(&utask->ri_seqcount, seq))
		ri_pool_push(utask, ri);
	else
		ri_free(ri);
}

static void pool_expire(struct uprobe_task *utask)
{
	raw_write_seqcount_begin(&utask->ri_seqcount);
	ri_expire_all(utask);
	raw_write_seqcount_end(&utask->ri_seqcount);
}

const struct ri_storage ri_storage_pool = {
	.name = "pool",
	.alloc = pool_alloc,
	.grow = pool_grow,
	.dup = pool_dup,
	.free = pool_free,
	.drop = ri_free,
	.expire = pool_expire,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ri_kmalloc.c - return instances that are allocated for each call.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.13. The consumers are behind the
 * instance in the same piece of memory, which moves when it grows. ri_timer may
 * be at an instance that its owner has unlinked; a grace period covers that, so
 * there is nothing to announce.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

static struct return_instance *kmalloc_alloc(struct uprobe_task *utask)
{
	return kzalloc_obj(struct return_instance);
}

static struct return_instance *kmalloc_grow(struct return_instance *ri)
{
	ri = krealloc(ri,
		      sizeof(*ri) + ri->cons_cnt * sizeof(*ri->extra_consumers),
		      GFP_KERNEL);
	if (ri)
		ri->extra_consumers = (struct return_consumer *)(ri + 1);
	return ri;
}

static struct return_instance *kmalloc_dup(const struct return_instance *old)
{
	int more = old->cons_cnt > 1 ? old->cons_cnt - 1 : 0;
	struct return_instance *ri;

	ri = kmemdup(old, sizeof(*ri) + more * sizeof(*ri->extra_consumers),
		     GFP_KERNEL);
	if (ri)
		ri->extra_consumers = (struct return_consumer *)(ri + 1);
	return ri;
}

static void kmalloc_free(struct uprobe_task *utask, struct return_instance *ri)
{
	kfree_rcu(ri, rcu);
}

/* Nobody else has ever seen it. */
static void kmalloc_drop(struct return_instance *ri)
{
	kfree(ri);
}

const struct ri_storage ri_storage_kmalloc = {
	.name = "kmalloc",
	.alloc = kmalloc_alloc,
	.grow = kmalloc_grow,
	.dup = kmalloc_dup,
	.free = kmalloc_free,
	.drop = kmalloc_drop,
	.expire = ri_expire_all,
};

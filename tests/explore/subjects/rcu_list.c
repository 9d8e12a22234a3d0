// SPDX-License-Identifier: GPL-2.0-only
/*
 * An entry is taken off a list that readers walk under RCU. Broken: it is freed with
 * no grace period, while a reader may stand on it.
 */
#include <linux/bug.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

struct item {
	struct list_head node;
	int value;
};

static LIST_HEAD(list);

SCENARIO_SETUP()
{
	for (int i = 1; i <= 2; i++) {
		struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

		item->value = i;
		list_add_tail_rcu(&item->node, &list);
	}
}

SCENARIO_THREAD(reader)
{
	struct item *item;

	rcu_read_lock();
	list_for_each_entry_rcu(item, &list, node)
		BUG_ON(item->value != 1 && item->value != 2);
	rcu_read_unlock();
}

SCENARIO_THREAD(remover)
{
	struct item *item = list_first_entry(&list, struct item, node);

	list_del_rcu(&item->node);
#ifndef BROKEN
	synchronize_rcu();
#endif
	kfree(item);
}

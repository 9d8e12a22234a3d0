// SPDX-License-Identifier: GPL-2.0-only
/*
 * deref.c - what rcu_dereference orders: accesses through the pointer that it gave,
 * and no others (lkmm). WHICH item is published: 0 a global one, 1 of an array, 2 one
 * from the heap. INNER: the value lies in another object, to which the item points.
 * BESIDE: the reader looks at a word that was written before, but lies elsewhere;
 * ONCE: it gets the pointer with READ_ONCE, whose dependencies are not seen.
 */
#include <linux/bug.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

#ifndef WHICH
#define WHICH 0
#endif

struct item {
	int value;
	struct item *inner;
};

static struct item *published, global, array[2];
static int beside;

SCENARIO_THREAD(writer)
{
	struct item *inner = kzalloc(sizeof(*inner), GFP_KERNEL);
	struct item *item = WHICH == 0	 ? &global
			    : WHICH == 1 ? &array[1]
					 : kzalloc(sizeof(*item), GFP_KERNEL);

	WRITE_ONCE(beside, 1);
	WRITE_ONCE(item->value, 1);
	WRITE_ONCE(inner->value, 1);
	item->inner = inner;
	rcu_assign_pointer(published, item);
}

SCENARIO_THREAD(reader)
{
	struct item *item;

	rcu_read_lock();
#ifdef ONCE
	item = READ_ONCE(published);
#else
	item = rcu_dereference(published);
#endif
#ifdef BESIDE
	BUG_ON(item && READ_ONCE(beside) != 1);
#elif defined(INNER)
	BUG_ON(item && READ_ONCE(item->inner->value) != 1);
#else
	BUG_ON(item && READ_ONCE(item->value) != 1);
#endif
	rcu_read_unlock();
}

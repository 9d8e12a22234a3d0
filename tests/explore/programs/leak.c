// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads publish an object each in the same place; who comes second frees
 * what it replaces if FIXED, and else forgets it. SETUP: what is forgotten is the
 * set-up's, which is no leak. HIDDEN: nothing is, but the only pointer to it is
 * tagged and leads into its middle, from the other object.
 */
#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

struct thing {
	long size;
	struct list_head link;
	unsigned long tagged;
};

static struct thing *latest;

SCENARIO_SETUP()
{
#ifdef SETUP
	latest = kzalloc_obj(struct thing);
#endif
}

static void publish(void)
{
	struct thing *new = kzalloc_obj(struct thing), *old;

	old = xchg(&latest, new);
#ifdef FIXED
	kfree(old);
#endif
#ifdef HIDDEN
	if (old)
		new->tagged = (unsigned long)&old->link | 1;
#endif
}

SCENARIO_THREAD(first)
{
	publish();
}

SCENARIO_THREAD(second)
{
#ifndef SETUP
	publish();
#endif
}

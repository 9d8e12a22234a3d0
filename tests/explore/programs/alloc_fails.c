// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloc_fails.c - the second of two allocations fails, and the first is lost.
 * -DFIXED: it is freed. -DNOFAIL: the second may not fail.
 */
#include <linux/slab.h>
#include <trapline/scenario.h>

TRAPLINE_ALLOC_FAILURES(1);

struct thing {
	int value;
};

SCENARIO_THREAD(owner)
{
	struct thing *a = kzalloc_obj(struct thing);
#ifdef NOFAIL
	struct thing *b = kzalloc_obj(struct thing, GFP_KERNEL | __GFP_NOFAIL);
#else
	struct thing *b = kzalloc_obj(struct thing);
#endif

	if (!b) {
#ifdef FIXED
		kfree(a);
#endif
		return;
	}
	kfree(a);
	kfree(b);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v1.sched runs: it fails only by the choices and the order that it names.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <trapline/choose.h>
#include <trapline/scenario.h>

static DEFINE_SPINLOCK(lock);
static int step, chosen, seen;
static bool failed, waited;

int v1_look(const int *place); /* v1-more.c */

SCENARIO_THREAD(writer)
{
	int *p;

	spin_lock(&lock);
	p = kzalloc(sizeof(*p), GFP_ATOMIC);
	failed = !p;
	kfree(p);
	chosen = trapline_choose(3);
	WRITE_ONCE(step, 1);
	WRITE_ONCE(step, STEP);
	spin_unlock(&lock);
}

SCENARIO_THREAD(locker)
{
	spin_lock(&lock);
	waited = READ_ONCE(step) == STEP;
	spin_unlock(&lock);
}

SCENARIO_THREAD(reader)
{
	seen = v1_look(&step);
}

SCENARIO_CHECK()
{
	BUG_ON(failed && waited && chosen == 2 && seen == 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object with a timer, freed while that is armed. FIXED: deleted first. ITSELF:
 * freed by the timer's own function, which may; AGAIN: armed again before.
 */
#include <linux/compiler.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <trapline/scenario.h>

struct thing {
	int ticks;
	struct timer_list timer;
};

static struct thing *thing;

static void on_tick(struct timer_list *timer)
{
#ifdef AGAIN
	mod_timer(timer, jiffies + 1);
#endif
#ifdef ITSELF
	kfree(timer_container_of(thing, timer, timer));
#endif
}

SCENARIO_SETUP()
{
	thing = kzalloc_obj(struct thing);
	timer_setup(&thing->timer, on_tick, 0);
}

SCENARIO_THREAD(owner)
{
	mod_timer(&thing->timer, jiffies + 1);
#ifdef FIXED
	timer_delete_sync(&thing->timer);
#endif
#ifndef ITSELF
	kfree(thing);
#endif
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * An early return that, unless FIXED, forgets the lock: of a thread, or IN_TIMER
 * of a timer's function.
 */
#include <linux/compiler.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <trapline/scenario.h>

static DEFINE_SPINLOCK(lock);
static struct timer_list tick;
static int gone;

static void look(void)
{
	spin_lock(&lock);
	if (READ_ONCE(gone)) {
#ifdef FIXED
		spin_unlock(&lock);
#endif
		return;
	}
	spin_unlock(&lock);
}

static void on_tick(struct timer_list *timer)
{
	look();
}

SCENARIO_THREAD(reader)
{
	timer_setup(&tick, on_tick, 0);
#ifdef IN_TIMER
	mod_timer(&tick, jiffies + 1);
#else
	look();
#endif
}

SCENARIO_THREAD(remover)
{
	WRITE_ONCE(gone, 1);
}

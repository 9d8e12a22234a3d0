// SPDX-License-Identifier: GPL-2.0-only
/*
 * timer.c - kernel timers over the world's queue.
 *
 * Stands for kernel/time/timer.c. The world decides when a timer fires; the
 * word in the timer says whether it is pending or running.
 */
#include <linux/timer.h>

void timer_setup(struct timer_list *timer,
		 void (*function)(struct timer_list *timer), unsigned int flags)
{
	timer->function = function;
	timer->flags = flags;
	timer->sim_word = 0;
}

int mod_timer(struct timer_list *timer, unsigned long expires)
{
	unsigned long now = jiffies;

	timer->expires = expires;
	return sim_timer_mod(timer, &timer->sim_word,
			     time_after(expires, now) ? expires - now : 0);
}

int timer_delete_sync(struct timer_list *timer)
{
	return sim_timer_delete_sync(timer, &timer->sim_word);
}

int timer_pending(const struct timer_list *timer)
{
	return !!(READ_ONCE(timer->sim_word) & SIM_TIMER_PENDING);
}

unsigned long *sim_timer_pinned(struct timer_list *timer)
{
	return timer->flags & TIMER_PINNED ? &timer->sim_word : NULL;
}

void sim_timer_run(struct timer_list *timer)
{
	timer->function(timer);
}

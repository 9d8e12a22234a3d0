/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/timer.h - one-shot timers.
 *
 * 	function			lock	sleeps	scheduling point
 * 	timer_setup, timer_pending	none	no	no
 * 	mod_timer			none	no	yes
 * 	timer_delete_sync		none	no	yes: waits for the function
 * Context: any, timer_delete_sync not from the timer's own function, which runs
 * in softirq and may not sleep. It runs on a CPU of its own, as if the timer had been
 * moved there, at any time once armed. TIMER_PINNED: on the CPU that armed it, as a
 * softirq of that, until the CPU's thread has ended, or never. The plain build takes
 * no notice of flags. Leaves out deferral, slack and shutting down.
 */
#ifndef LINUX_TIMER_H
#define LINUX_TIMER_H

#include <linux/container_of.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/types.h>

struct timer_list {
	unsigned long expires;
	void (*function)(struct timer_list *timer);
	u32 flags;
	unsigned long sim_word; /* SIM_TIMER_* */
};

#define TIMER_DEFERRABLE 0x80000u
#define TIMER_PINNED 0x100000u

void timer_setup(struct timer_list *timer,
		 void (*function)(struct timer_list *timer),
		 unsigned int flags);
/* Returns whether it was pending. */
int mod_timer(struct timer_list *timer, unsigned long expires);
int timer_delete_sync(struct timer_list *timer);
int timer_pending(const struct timer_list *timer);

#define del_timer_sync(timer) timer_delete_sync(timer)
#define add_timer(timer) ((void)mod_timer(timer, (timer)->expires))
#define timer_container_of(var, timer, field) \
	container_of(timer, __typeof__(*var), field)
#define from_timer(var, timer, field) timer_container_of(var, timer, field)

#endif /* LINUX_TIMER_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer function takes a lock that a thread takes, too, with softirqs on: on that
 * CPU it would wait for ever. FIXED: they are off. IRQ: so they are if interrupts are.
 * READERS: who reads lets readers in; WRITER: but not one who writes. PINNED: the
 * timer comes to this very CPU. CALLBACK: it is an RCU callback. LATE: softirqs are on
 * again before the lock is dropped. OTHERS: only the timers of two threads take it.
 */
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <trapline/scenario.h>

static DEFINE_SPINLOCK(lock);
static DEFINE_RWLOCK(rwlock);
static struct timer_list timer, timer2;
static struct rcu_head head;

static void locked(void)
{
#ifdef READERS
	read_lock(&rwlock);
	read_unlock(&rwlock);
#elif defined(WRITER)
	write_lock(&rwlock);
	write_unlock(&rwlock);
#else
	spin_lock(&lock);
	spin_unlock(&lock);
#endif
}

static void fire(struct timer_list *t)
{
	locked();
}

static void call(struct rcu_head *rcu)
{
	locked();
}

SCENARIO_SETUP()
{
#ifdef PINNED
	timer_setup(&timer, fire, TIMER_PINNED);
#else
	timer_setup(&timer, fire, 0);
#endif
	timer_setup(&timer2, fire, 0);
}

SCENARIO_THREAD(driver)
{
#ifdef CALLBACK
	call_rcu(&head, call);
#else
	mod_timer(&timer, jiffies + 1);
#endif
#ifdef FIXED
	spin_lock_bh(&lock);
	spin_unlock_bh(&lock);
#elif defined(IRQ)
	spin_lock_irq(&lock);
	spin_unlock_irq(&lock);
#elif defined(READERS) || defined(WRITER)
	read_lock(&rwlock);
	read_unlock(&rwlock);
#elif defined(LATE)
	local_bh_disable();
	spin_lock(&lock);
	local_bh_enable();
	spin_unlock(&lock);
#elif defined(OTHERS)
	mod_timer(&timer2, jiffies + 1);
#else
	spin_lock(&lock);
	spin_unlock(&lock);
#endif
}

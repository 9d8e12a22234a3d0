// SPDX-License-Identifier: GPL-2.0-only
/*
 * What may sleep, where nobody may: SLEEP is what, one of mutex(), allocate(),
 * wait(), grace(), semaphore(), percpu(). ATOMIC is where: spin, read_lock, rcu,
 * timer, callback, hardirq, irqs_off, bh_off, preempt_off or irqsave; or where
 * sleeping is allowed: mutex_held, srcu, trace, work, all_on, nowhere.
 */
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <trapline/scenario.h>

static DEFINE_MUTEX(outer);
static DEFINE_MUTEX(inner);
static DEFINE_SPINLOCK(lock);
static DEFINE_RWLOCK(rwlock);
static DECLARE_RWSEM(sem);
static DEFINE_PERCPU_RWSEM(cpus);
static DEFINE_SRCU(domain);
static DEFINE_SRCU(other);
static struct timer_list tick;
static struct rcu_head head;
static unsigned int state;

static void mutex(void)
{
	mutex_lock(&inner);
	mutex_unlock(&inner);
}

static void semaphore(void)
{
	down_read(&sem);
	up_read(&sem);
}

static void percpu(void)
{
	percpu_down_read(&cpus);
	percpu_up_read(&cpus);
}

static void allocate(void)
{
	kfree(kmalloc(8, GFP_KERNEL));
}

static void atomically(void)
{
	kfree(kmalloc(8, GFP_ATOMIC));
}

static void wait(void)
{
	sim_schedule(&state);
}

static void grace(void)
{
	synchronize_srcu(&other);
}

static void spin(void)
{
	spin_lock(&lock);
	SLEEP();
	spin_unlock(&lock);
}

static void read(void)
{
	read_lock(&rwlock);
	SLEEP();
	read_unlock(&rwlock);
}

static void rcu(void)
{
	rcu_read_lock();
	SLEEP();
	rcu_read_unlock();
}

static void mutex_held(void)
{
	mutex_lock(&outer);
	SLEEP();
	mutex_unlock(&outer);
}

static void srcu(void)
{
	int idx = srcu_read_lock(&domain);

	SLEEP();
	srcu_read_unlock(&domain, idx);
}

static void trace(void)
{
	rcu_read_lock_trace();
	SLEEP();
	rcu_read_unlock_trace();
}

static void on_tick(struct timer_list *timer)
{
	SLEEP();
}

static void timer(void)
{
	timer_setup(&tick, on_tick, 0);
	mod_timer(&tick, jiffies + 1);
}

static void on_callback(struct rcu_head *rcu)
{
	SLEEP();
}

static void callback(void)
{
	call_rcu(&head, on_callback);
}

static void on_work(struct work_struct *w)
{
	SLEEP();
}

static DECLARE_WORK(item, on_work);

static void work(void)
{
	schedule_work(&item);
}

static void nowhere(void)
{
	SLEEP();
}

static bool in_hardirq_too;

static void hardirq(void)
{
	in_hardirq_too = true;
}

static void irqs_off(void)
{
	local_irq_disable();
	SLEEP();
	local_irq_enable();
}

static void bh_off(void)
{
	local_bh_disable();
	local_bh_disable();
	local_bh_enable();
	SLEEP();
	local_bh_enable();
}

static void preempt_off(void)
{
	preempt_disable();
	SLEEP();
	preempt_enable();
}

/* On again as it was: off. */
static void irqsave(void)
{
	unsigned long irqflags;

	local_irq_disable();
	spin_lock_irqsave(&lock, irqflags);
	spin_unlock_irqrestore(&lock, irqflags);
	SLEEP();
	local_irq_enable();
}

static void all_on(void)
{
	unsigned long irqflags;

	spin_lock_irqsave(&lock, irqflags);
	spin_unlock_irqrestore(&lock, irqflags);
	spin_lock_bh(&lock);
	spin_unlock_bh(&lock);
	preempt_disable();
	preempt_enable();
	SLEEP();
}

/* Every combination is compiled, one is used. */
static void (*const places[])(void) = {
	spin,	read,	     rcu,     mutex_held, srcu,	   trace,
	timer,	callback,    work,    nowhere,	  hardirq, irqs_off,
	bh_off, preempt_off, irqsave, all_on,
};
static void (*const sleeps[])(void) = {
	mutex, semaphore, percpu, allocate, atomically, wait, grace,
};

SCENARIO_THREAD(sleeper)
{
	(void)places;
	(void)sleeps;
	ATOMIC();
}

SCENARIO_THREAD(neighbour)
{
	mutex();
}

SCENARIO_IRQ(irq, sleeper)
{
	if (in_hardirq_too)
		SLEEP();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread and a hard interrupt of its CPU, in ways whose executions are counted by
 * hand: a place is before an operation on shared memory, and at the end.
 *
 *	(none)	a reads and writes count, and so does the interrupt: it can come
 *		before the read, between the two, and at the end: 3
 *	OFF	with interrupts off: before that, and at the end: 2
 *	BH	with bottom halves off, which keeps nothing hard out: 3
 *	ENDS	the thread ends with what that turned off
 *	TWICE	two interrupts, neither between the halves of an atomic_inc: both
 *		before, both after, or one and one; first and second or second and
 *		first: 2 + 2 + 2 (each pair of places in two orders)
 *	UPTO	one that comes up to twice, before or after the atomic_inc: never;
 *		once, at 2 places; twice: both before, one and one, both after: 6
 *	PERCPU	this_cpu_inc in both: before, and at the end: 2, and nothing is lost
 *	RAW	__this_cpu_inc in the thread: 3, and something is
 *	SPIN	the thread waits in a loop for its own interrupt: 1
 *	AWAIT	the thread takes a lock, which b, once it has it, keeps until the
 *		interrupt has come. Thread first: it comes before the lock, before the
 *		unlock or at the end; b first: before the lock: 4
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <trapline/scenario.h>

static int count;
static atomic_t sum;
static DEFINE_PER_CPU(int, hits) = 1;
static int seen_context;

static void add(void)
{
	WRITE_ONCE(count, READ_ONCE(count) + 1);
}

#if defined(TWICE) || defined(UPTO)
SCENARIO_THREAD(a)
{
	atomic_inc(&sum);
}
#ifdef TWICE
SCENARIO_IRQ(tick, a)
{
	atomic_inc(&sum);
}
SCENARIO_IRQ(disk, a)
{
	atomic_inc(&sum);
}
#else
SCENARIO_IRQS(tick, a, 2)
{
	atomic_inc(&sum);
}
#endif

#elif defined(PERCPU) || defined(RAW)
SCENARIO_THREAD(other)
{
	this_cpu_inc(hits);
}
SCENARIO_THREAD(a)
{
	BUG_ON(smp_processor_id() != 1);
#ifdef RAW
	__this_cpu_inc(hits);
#else
	this_cpu_inc(hits);
#endif
}
SCENARIO_IRQ(tick, a)
{
	BUG_ON(smp_processor_id() != 1);
	this_cpu_inc(hits);
}
SCENARIO_CHECK()
{
	BUG_ON(per_cpu(hits, 0) != 2);
	BUG_ON(per_cpu(hits, 1) != 3);
}

#elif defined(AWAIT)
static DEFINE_SPINLOCK(lock);
SCENARIO_THREAD(a)
{
	spin_lock(&lock);
	spin_unlock(&lock);
}
SCENARIO_THREAD(b)
{
	spin_lock(&lock);
	while (!smp_load_acquire(&count))
		cpu_relax();
	spin_unlock(&lock);
}
SCENARIO_IRQ(tick, a)
{
	smp_store_release(&count, 1);
}

#elif defined(SPIN)
SCENARIO_THREAD(a)
{
	while (!READ_ONCE(count))
		cpu_relax();
}
SCENARIO_IRQ(tick, a)
{
	add();
}

#else
SCENARIO_THREAD(a)
{
	BUG_ON(!in_task() || in_atomic() || irqs_disabled());
#ifdef OFF
	local_irq_disable();
	BUG_ON(!irqs_disabled());
#endif
#ifdef BH
	local_bh_disable();
	BUG_ON(!in_softirq() || in_serving_softirq() || !in_task());
#endif
	add();
#ifdef BH
	local_bh_enable();
#endif
#ifdef OFF
	local_irq_enable();
#endif
#ifdef ENDS
	ENDS();
#endif
}
SCENARIO_IRQ(tick, a)
{
	BUG_ON(in_task() || !in_hardirq() || !irqs_disabled());
	add();
	WRITE_ONCE(seen_context, 1);
}
SCENARIO_CHECK()
{
	BUG_ON(!seen_context);
#ifdef CHECK
	BUG_ON(count != 2);
#endif
}
#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Softirqs of a CPU, counted by hand; W is an operation on shared memory.
 *
 *	(none)	a thread raises one, and does W twice: before either, or at the end: 3
 *	BH	with bottom halves off for the first W and for raising: after that, so
 *		before the second W, or at the end: 2
 *	LATE	raised, then bottom halves off for the first W: before that, before the
 *		second W, or at the end: 3
 *	TWICE	raised twice before it can come: once, so as BH: 2
 *	HARD	a hard interrupt raises it; the thread does W once. Hard before W: the
 *		softirq before W or at the end; hard at the end: there, too: 3
 *	NEST	both are to come to a thread that does W once; the softirq has 3 operations
 *		itself. Softirq before W: hard before that, before each of the 3, after
 *		it, at the end: 6; softirq at the end: hard before W, before the softirq,
 *		before each of the 3, after it: 6
 *	PINNED	a timer of this CPU, which may also never fire. Armed, then W: before
 *		W, at the end, or never: 3
 *	PINNED DELETED	and then deleted: before W, before that, or never: 3
 *	PINNED BH	armed, and W done, with bottom halves off: at the end, never: 2
 *	PINNED OTHER	another CPU deletes it. Not looked for: deleted before it is armed,
 *		or after: 2. Looked for at 2 places: deleted before it is armed, before
 *		it is looked for (in vain), or after it has fired: 6
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/interrupt.h>
#include <linux/smp.h>
#include <linux/timer.h>
#include <trapline/scenario.h>

static int word;
static int came;
static struct timer_list timer;

static void work(void)
{
	WRITE_ONCE(word, 1);
}

static void action(void)
{
	BUG_ON(!in_serving_softirq() || in_task() || in_hardirq());
	BUG_ON(irqs_disabled() || smp_processor_id() != 0);
	came++;
#ifdef NEST
	work();
#endif
}

static void fire(struct timer_list *t)
{
	action();
}

SCENARIO_SETUP()
{
	open_softirq(BLOCK_SOFTIRQ, action);
	timer_setup(&timer, fire, TIMER_PINNED);
}

SCENARIO_THREAD(a)
{
#if defined(BH) || defined(TWICE)
	local_bh_disable();
#endif
#ifdef PINNED
	mod_timer(&timer, jiffies + 1);
	work();
#elif defined(HARD)
	work();
#elif defined(LATE)
	raise_softirq(BLOCK_SOFTIRQ);
	local_bh_disable();
	work();
	local_bh_enable();
#elif defined(NEST)
	raise_softirq(BLOCK_SOFTIRQ);
	work();
#else
#if defined(BH) || defined(TWICE)
	work();
#endif
	raise_softirq(BLOCK_SOFTIRQ);
#ifdef TWICE
	raise_softirq(BLOCK_SOFTIRQ);
#endif
#if !defined(BH) && !defined(TWICE)
	work();
#endif
#endif
#if defined(BH) || defined(TWICE)
	local_bh_enable();
#endif
#ifdef DELETED
	timer_delete_sync(&timer);
#elif !defined(PINNED) && !defined(HARD) && !defined(NEST)
	work();
#endif
}

/* so that W is an operation */
SCENARIO_THREAD(b)
{
#ifdef OTHER
	timer_delete_sync(&timer);
#endif
}

#if defined(HARD) || defined(NEST)
SCENARIO_IRQ(tick, a)
{
#ifdef HARD
	raise_softirq(BLOCK_SOFTIRQ);
#endif
}
#endif

SCENARIO_CHECK()
{
	(void)READ_ONCE(word);
	BUG_ON(came > 1);
#ifndef PINNED
	BUG_ON(!came);
#endif
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plain payload, and more than a flag: LOCK, RCU or DEREF orders it, or a chain of
 * three threads (CHAIN). -DWRONG: not quite.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <trapline/scenario.h>

int data, first, second, sink;

#ifdef LOCK
static DEFINE_SPINLOCK(lock);

static void add(int n)
{
	spin_lock(&lock);
	data += n;
	spin_unlock(&lock);
}

SCENARIO_THREAD(one)
{
	add(1);
}

SCENARIO_THREAD(two)
{
	add(2);
#ifdef WRONG
	sink = data;
#endif
}
#elif defined(RCU)
SCENARIO_THREAD(one)
{
	rcu_read_lock();
	if (!READ_ONCE(first))
		data = 1;
	rcu_read_unlock();
}

SCENARIO_THREAD(two)
{
	WRITE_ONCE(first, 1);
#ifndef WRONG
	synchronize_rcu();
#else
	smp_mb();
#endif
	data = 2;
}
#elif defined(DEREF)
static int other, *pointer = &other;

SCENARIO_THREAD(one)
{
	data = 1;
	rcu_assign_pointer(pointer, &data);
}

SCENARIO_THREAD(two)
{
#ifndef WRONG
	sink = *rcu_dereference(pointer);
#else
	sink = *READ_ONCE(pointer);
#endif
}
#else /* CHAIN */
SCENARIO_THREAD(one)
{
	data = 1;
#ifndef WRONG
	smp_mb();
#else
	smp_wmb();
#endif
	WRITE_ONCE(first, 1);
}

/* It need not pass on what it has seen: the barrier has seen to that. */
SCENARIO_THREAD(two)
{
	if (smp_load_acquire(&first))
		WRITE_ONCE(second, 1);
}

SCENARIO_THREAD(three)
{
	if (smp_load_acquire(&second))
		sink = data;
}
#endif

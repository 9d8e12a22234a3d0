// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks taken in a circle by threads that never meet, since each waits for the
 * flag of the one before. FIXED: all in one order. TRY: the last does not wait
 * for its second lock. SHORT: without the flags, so that there is a deadlock.
 */
#include <asm/barrier.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <trapline/scenario.h>

static DEFINE_SPINLOCK(first);
static DEFINE_SPINLOCK(second);
static DEFINE_SPINLOCK(third);
static int over[2];

static void both(spinlock_t *one, spinlock_t *two)
{
	spin_lock(one);
	spin_lock(two);
	spin_unlock(two);
	spin_unlock(one);
}

static int may_go(int *flag)
{
#ifdef SHORT
	return 1;
#else
	return smp_load_acquire(flag);
#endif
}

SCENARIO_THREAD(one)
{
	both(&first, &second);
	smp_store_release(&over[0], 1);
}

SCENARIO_THREAD(two)
{
	if (!may_go(&over[0]))
		return;
	both(&second, &third);
	smp_store_release(&over[1], 1);
}

SCENARIO_THREAD(three)
{
	if (!may_go(&over[1]))
		return;
#if defined(FIXED)
	both(&first, &third);
#elif defined(TRY)
	spin_lock(&third);
	if (spin_trylock(&first))
		spin_unlock(&first);
	spin_unlock(&third);
#else
	both(&third, &first);
#endif
}

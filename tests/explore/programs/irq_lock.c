// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hard interrupt takes the lock that the thread which it interrupts may hold: for
 * ever, unless that one has switched interrupts off (FIXED). LOCK=spin_lock,
 * or spin_lock_bh, which does not help. OTHER: another CPU has the lock and waits for
 * nobody; the handler may wait for it. CHAIN: not this lock, but one that another CPU
 * takes while it waits for this.
 */
#include <linux/spinlock.h>
#include <trapline/scenario.h>

#ifndef LOCK
#define LOCK spin_lock
#define UNLOCK spin_unlock
#endif

static DEFINE_SPINLOCK(lock);
static DEFINE_SPINLOCK(second);

SCENARIO_THREAD(driver)
{
#ifdef FIXED
	unsigned long irqflags;

	spin_lock_irqsave(&lock, irqflags);
	spin_unlock_irqrestore(&lock, irqflags);
#elif !defined(OTHER)
	LOCK(&lock);
	UNLOCK(&lock);
#endif
}

#if defined(OTHER) || defined(CHAIN)
SCENARIO_THREAD(other)
{
#ifdef CHAIN
	spin_lock_irq(&second);
#endif
	spin_lock(&lock);
	spin_unlock(&lock);
#ifdef CHAIN
	spin_unlock_irq(&second);
#endif
}
#endif

SCENARIO_IRQ(irq, driver)
{
#ifdef CHAIN
	spin_lock(&second);
	spin_unlock(&second);
#else
	spin_lock(&lock);
	spin_unlock(&lock);
#endif
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read sections that are left or waited for wrongly, one at a time: UNBALANCED, a
 * reader was in none; TWICE, it was and has left; FOREIGN, another thread was;
 * HANDED, which is allowed if they agree on it; OWN, a grace period inside.
 * With -DFIXED as it should be.
 */
#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/srcu.h>
#include <trapline/scenario.h>

DEFINE_STATIC_SRCU(domain);
static int lease, given;

SCENARIO_THREAD(reader)
{
#if defined(UNBALANCED)
	rcu_read_lock();
	rcu_read_unlock();
#ifndef FIXED
	rcu_read_unlock();
#endif
#elif defined(TWICE)
	int idx = srcu_read_lock(&domain);

	srcu_read_unlock(&domain, idx);
#ifndef FIXED
	srcu_read_unlock(&domain, idx);
#endif
#elif defined(OWN)
	int idx = srcu_read_lock(&domain);

#ifdef FIXED
	srcu_read_unlock(&domain, idx);
#endif
	synchronize_srcu(&domain);
#ifndef FIXED
	srcu_read_unlock(&domain, idx);
#endif
#else
	lease = srcu_down_read(&domain);
	smp_store_release(&given, 1);
#endif
}

SCENARIO_THREAD(other)
{
#if defined(FOREIGN) || defined(HANDED)
	if (!smp_load_acquire(&given))
		return;
#ifdef FOREIGN
	srcu_read_unlock(&domain, lease);
#else
	srcu_up_read(&domain, lease);
#endif
#endif
}

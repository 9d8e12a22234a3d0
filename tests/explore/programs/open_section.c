// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader that leaves by the wrong door with its section open. FLAVOUR: rcu,
 * trace; srcu, whose sections may be handed on. FIXED: it closes it.
 */
#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/srcu.h>
#include <trapline/scenario.h>

#define FLAVOUR_rcu 1
#define FLAVOUR_trace 2
#define FLAVOUR_srcu 3
#define PASTE(a, b) a##b
#define NUMBER(flavour) PASTE(FLAVOUR_, flavour)

DEFINE_STATIC_SRCU(domain);
static int gone, lease = -1;

static void enter(void)
{
#if NUMBER(FLAVOUR) == FLAVOUR_rcu
	rcu_read_lock();
#elif NUMBER(FLAVOUR) == FLAVOUR_trace
	rcu_read_lock_trace();
#else
	lease = srcu_down_read(&domain);
#endif
}

static void leave(void)
{
#if NUMBER(FLAVOUR) == FLAVOUR_rcu
	rcu_read_unlock();
#elif NUMBER(FLAVOUR) == FLAVOUR_trace
	rcu_read_unlock_trace();
#else
	srcu_up_read(&domain, lease);
#endif
}

SCENARIO_THREAD(reader)
{
	enter();
#ifndef FIXED
	if (READ_ONCE(gone))
		return;
#endif
	leave();
}

SCENARIO_THREAD(remover)
{
	WRITE_ONCE(gone, 1);
}

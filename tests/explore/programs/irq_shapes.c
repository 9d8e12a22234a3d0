// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an interrupt orders, in store buffering: between the store of x and the load of
 * y, or before or after both, comes a handler; the other CPU does the same the other
 * way round, with a barrier. At each of its 3 places there are 3 executions under SC.
 * An x86 CPU drains its store buffer when an interrupt comes and when it returns: 4,
 * but 3 in the middle. The kernel's model promises nothing: 4 each.
 *
 * OWN: one store more, so 4 places, 2 of them between store and load; and the handler
 * sees its CPU's stores in their order, although no other CPU need do so.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <asm/barrier.h>
#include <trapline/scenario.h>

static int x, y, z;

SCENARIO_THREAD(a)
{
	WRITE_ONCE(x, 1);
#ifdef OWN
	WRITE_ONCE(z, 1);
#endif
	(void)READ_ONCE(y);
}

SCENARIO_THREAD(b)
{
	WRITE_ONCE(y, 1);
	smp_mb();
	(void)READ_ONCE(x);
}

SCENARIO_IRQ(tick, a)
{
#ifdef OWN
	BUG_ON(READ_ONCE(z) && !READ_ONCE(x));
#endif
}

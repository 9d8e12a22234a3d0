// SPDX-License-Identifier: GPL-2.0-only
/* What weaker memory does: SB under tso, MP and the order of writes under lkmm. */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <asm/barrier.h>
#include <trapline/scenario.h>

static int x, y, r0, r1;

SCENARIO_THREAD(a)
{
	WRITE_ONCE(x, 1);
#ifdef FENCED
	smp_mb();
#endif
#ifdef SB
	r0 = READ_ONCE(y);
#else
	WRITE_ONCE(y, 2);
#endif
}

SCENARIO_THREAD(b)
{
#ifdef MP
	r0 = READ_ONCE(y);
#else
	WRITE_ONCE(y, 1);
#endif
#ifdef FENCED
	smp_mb();
#endif
#ifdef WW
	WRITE_ONCE(x, 2);
#else
	r1 = READ_ONCE(x);
#endif
}

SCENARIO_CHECK()
{
#ifdef SB
	BUG_ON(!r0 && !r1);
#elif defined(MP)
	BUG_ON(r0 == 2 && !r1);
#else
	BUG_ON(READ_ONCE(x) == 1 && READ_ONCE(y) == 1);
#endif
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v1-weak.sched runs: a write that comes late and a read that does not see one.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <trapline/scenario.h>

static int x, y, z, early, late;

SCENARIO_THREAD(a)
{
	WRITE_ONCE(x, 1);
	WRITE_ONCE(y, 2);
	WRITE_ONCE(z, 1);
	WRITE_ONCE(z, 2);
}

SCENARIO_THREAD(b)
{
	WRITE_ONCE(y, 1);
	WRITE_ONCE(x, 2);
	early = READ_ONCE(z);
}

SCENARIO_THREAD(c)
{
	late = READ_ONCE(z);
}

SCENARIO_CHECK()
{
	BUG_ON(READ_ONCE(x) == 1 && READ_ONCE(y) == 1 && !early && late == 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/* A function that takes the lock its caller holds already; not if FIXED. */
#include <linux/compiler.h>
#include <linux/mutex.h>
#include <trapline/scenario.h>

static DEFINE_MUTEX(table);
static int busy;

static void resize(void)
{
#ifndef FIXED
	mutex_lock(&table);
#endif
	WRITE_ONCE(busy, 0);
#ifndef FIXED
	mutex_unlock(&table);
#endif
}

SCENARIO_THREAD(user)
{
	mutex_lock(&table);
	if (READ_ONCE(busy))
		resize();
	mutex_unlock(&table);
}

SCENARIO_THREAD(other)
{
	WRITE_ONCE(busy, 1);
}

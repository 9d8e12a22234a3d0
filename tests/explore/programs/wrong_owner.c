// SPDX-License-Identifier: GPL-2.0-only
/* A lock that, unless FIXED, is dropped by a thread that never took it. */
#include <linux/mutex.h>
#include <trapline/scenario.h>

static DEFINE_MUTEX(gate);
static int opened;

SCENARIO_THREAD(owner)
{
	mutex_lock(&gate);
	opened = 1;
	mutex_unlock(&gate);
}

SCENARIO_THREAD(other)
{
#ifdef FIXED
	mutex_lock(&gate);
#endif
	mutex_unlock(&gate);
}

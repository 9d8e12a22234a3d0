// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take one of LEFT from the pool of the hosted tree, with TAKE.
 */
#include <linux/bug.h>
#include <linux/objpool.h>
#include <linux/version.h>
#include <trapline/scenario.h>

#if LINUX_VERSION_CODE != KERNEL_VERSION(6, 12, 255)
#error another release
#endif

static struct objpool_head pool = { LEFT };

SCENARIO_THREAD(a)
{
	TAKE(&pool);
}

SCENARIO_THREAD(b)
{
	TAKE(&pool);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * points.c - two threads of two exchanges each: aabb and bbaa need no preemption,
 * abba and baab one, abab and baba two.
 */
#include <linux/atomic.h>
#include <trapline/scenario.h>

static atomic_t last;
static int own[2]; /* touched by one thread each: not noticed by others */

SCENARIO_THREAD(a)
{
	own[0]++;
	atomic_xchg(&last, 1);
	own[0]++;
	atomic_xchg(&last, 2);
}

SCENARIO_THREAD(b)
{
	own[1]++;
	atomic_xchg(&last, 3);
	own[1]++;
	atomic_xchg(&last, 4);
}

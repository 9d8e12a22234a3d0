// SPDX-License-Identifier: GPL-2.0-only
/*
 * Six threads wait until a word is 0. It is, then it is not, then it is again: each has
 * seen the first or the last value, whatever the others have.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <trapline/scenario.h>

static int flag;

#define WAITER(name)                                \
	SCENARIO_THREAD(name)                       \
	{                                           \
		smp_cond_load_acquire(&flag, !VAL); \
	}

WAITER(a)
WAITER(b)
WAITER(c)
WAITER(d)
WAITER(e)
WAITER(f)

SCENARIO_THREAD(writer)
{
	WRITE_ONCE(flag, 1);
	WRITE_ONCE(flag, 0);
}

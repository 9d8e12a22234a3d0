// SPDX-License-Identifier: GPL-2.0-only
/*
 * depends.c - the slot is written with what the flag said, so not before the flag
 * was read: a dependency, which lkmm is told of only with --deps=all.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <asm/barrier.h>
#include <trapline/scenario.h>

static int flag, slot;

SCENARIO_THREAD(owner)
{
	WRITE_ONCE(slot, 2);
	smp_wmb();
	WRITE_ONCE(flag, 1);
}

static int seen;

SCENARIO_THREAD(taker)
{
	seen = READ_ONCE(flag);
	WRITE_ONCE(slot, seen);
}

SCENARIO_CHECK()
{
	BUG_ON(seen && slot == 2);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring between one producer and one consumer, kernel style. Broken: nothing orders
 * the slot before the head that says it is full, which matters in weak memory only.
 */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <trapline/scenario.h>

#define SIZE 2
#define ITEMS 3

static unsigned int head, tail, slot[SIZE];

SCENARIO_THREAD(producer)
{
	for (unsigned int i = 0; i < ITEMS; i++) {
		while (i - smp_load_acquire(&tail) == SIZE)
			cpu_relax();
		WRITE_ONCE(slot[i % SIZE], i + 1);
#ifdef BROKEN
		WRITE_ONCE(head, i + 1);
#else
		smp_store_release(&head, i + 1);
#endif
	}
}

SCENARIO_THREAD(consumer)
{
	for (unsigned int i = 0; i < ITEMS; i++) {
		while (smp_load_acquire(&head) == i)
			cpu_relax();
		BUG_ON(READ_ONCE(slot[i % SIZE]) != i + 1);
		smp_store_release(&tail, i + 1);
	}
}

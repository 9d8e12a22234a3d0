// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a scenario in kernel style may not do, one at a time; -DBARRIER: an empty
 * statement of assembly is a note to the compiler.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

void *malloc(unsigned long size);
int fork(void);

static int *shared;

SCENARIO_SETUP()
{
	shared = kzalloc(sizeof(*shared), GFP_KERNEL);
#ifdef IN_SETUP
	BUG_ON(shared);
#elif defined(WILD)
	*(volatile int *)8 = 1;
#endif
}

SCENARIO_THREAD(one)
{
#ifdef MALLOC
	shared = malloc(4);
#elif defined(FORK)
	fork();
#elif defined(ASM)
	__asm__ volatile("mfence" : : : "memory");
#elif defined(IMPLICIT)
	undeclared(shared);
#elif defined(BARRIER)
	barrier();
#elif defined(SECTIONS)
	for (int i = 0; i < SECTIONS; i++) {
		rcu_read_lock();
		rcu_read_unlock();
	}
#endif
	WRITE_ONCE(*shared, 1);
}

#ifdef TOP
__asm__(".globl nobody\nnobody: ret");
#endif

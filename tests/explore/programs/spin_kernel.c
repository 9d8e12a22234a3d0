// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin_kernel.c - the kernel's ways to wait in a loop: -DWAY=1 READ_ONCE and
 * cpu_relax, 2 smp_cond_load_acquire, 3 a counted loop, which gives up and is no
 * wait. -DNEVER: nobody sets the flag.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <asm/barrier.h>
#include <asm/processor.h>
#include <trapline/scenario.h>

static int flag, data;

SCENARIO_THREAD(reader)
{
#if WAY == 1
	while (!READ_ONCE(flag))
		cpu_relax();
	smp_rmb();
	BUG_ON(READ_ONCE(data) != 1);
#elif WAY == 2
	smp_cond_load_acquire(&flag, VAL);
	BUG_ON(READ_ONCE(data) != 1);
#else
	for (int i = 0; i < 3; i++) {
		if (smp_load_acquire(&flag)) {
			BUG_ON(READ_ONCE(data) != 1);
			return;
		}
	}
#endif
}

SCENARIO_THREAD(writer)
{
	WRITE_ONCE(data, 1);
#ifdef NEVER
	WRITE_ONCE(flag, 0);
#else
	smp_store_release(&flag, 1);
#endif
}

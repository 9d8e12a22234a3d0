// SPDX-License-Identifier: GPL-2.0-only
/*
 * softirq.c - softirqs that code raises.
 *
 * Stands for kernel/softirq.c. The world decides when one comes to the CPU that it
 * was raised on; it is raised once until then.
 */
#include <linux/interrupt.h>

static void (*softirq_vec[NR_SOFTIRQS])(void);

void open_softirq(int nr, void (*action)(void))
{
	softirq_vec[nr] = action;
}

static void run_softirq(void *vec)
{
	(*(void (**)(void))vec)();
}

void raise_softirq(unsigned int nr)
{
#ifdef SIM_EXPLORE
	sim_softirq_raise(run_softirq, &softirq_vec[nr]);
#else
	/* nothing holds it back */
	run_softirq(&softirq_vec[nr]);
#endif
}

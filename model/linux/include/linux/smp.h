/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/smp.h - which CPU this is.
 *
 * 	function			order	sleeps	scheduling point
 * 	smp_processor_id		none	no	no
 * 	get_cpu, put_cpu		none	no	no
 * Context: any. A thread is its own CPU and stays there; an interrupt handler is on
 * that of the thread that it interrupts.
 */
#ifndef LINUX_SMP_H
#define LINUX_SMP_H

#include <linux/cpumask.h>
#include <linux/preempt.h>
#include <sim/world.h>

#ifdef SIM_EXPLORE
#define smp_processor_id() sim_cpu()
#else
#define smp_processor_id() sim_thread()
#endif
#define raw_smp_processor_id() smp_processor_id()

static __always_inline int get_cpu(void)
{
	preempt_disable();
	return smp_processor_id();
}

#define put_cpu() preempt_enable()

#endif /* LINUX_SMP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/preempt.h - in which context the code runs.
 *
 * 	function			order	sleeps	scheduling point
 * 	preempt_disable, _enable	none	no	no
 * 	in_task, in_hardirq and so on	none	no	no
 * Context: any. preempt_count() is what the thread, and what it interrupts, have
 * added; its layout is the kernel's. Held spin locks do not count, though their
 * holder may not sleep either. Every thread has a CPU of its own, so none is
 * preempted by another; what lies between is an RCU read section (since 5.0), also
 * where only softirqs are kept off. In the
 * plain build all is task context, and these do nothing.
 */
#ifndef LINUX_PREEMPT_H
#define LINUX_PREEMPT_H

#include <linux/compiler.h>
#include <sim/world.h>

#define SOFTIRQ_OFFSET SIM_SOFTIRQ_SERVING
#define SOFTIRQ_DISABLE_OFFSET (2 * SIM_SOFTIRQ_SERVING)
#define SOFTIRQ_MASK SIM_SOFTIRQ_MASK
#define HARDIRQ_OFFSET SIM_HARDIRQ
#define HARDIRQ_MASK 0xf0000u

#ifdef SIM_EXPLORE
void sim_preempt(int n);
#define preempt_count() sim_preempt_count()
#else
static __always_inline void sim_preempt(int n)
{
	(void)n;
	barrier();
}
#define preempt_count() 0u
#endif

#define preempt_disable() sim_preempt(1)
#define preempt_enable() sim_preempt(-1)
#define preempt_disable_notrace() preempt_disable()
#define preempt_enable_notrace() preempt_enable()
#define preempt_enable_no_resched() preempt_enable()

#define hardirq_count() (preempt_count() & HARDIRQ_MASK)
#define softirq_count() (preempt_count() & SOFTIRQ_MASK)
#define in_hardirq() (!!hardirq_count())
#define in_serving_softirq() (!!(preempt_count() & SOFTIRQ_OFFSET))
/* Also while bottom halves are off. */
#define in_softirq() (!!softirq_count())
#define in_interrupt() (!!(preempt_count() & (HARDIRQ_MASK | SOFTIRQ_MASK)))
#define in_task() (!in_hardirq() && !in_serving_softirq())
#define in_irq() in_hardirq()
#define in_atomic() (preempt_count() != 0)
#define preemptible() (!in_atomic())

#endif /* LINUX_PREEMPT_H */

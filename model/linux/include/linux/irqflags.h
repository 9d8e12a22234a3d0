/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/irqflags.h - interrupts of the running CPU, on and off.
 *
 * 	function			order	sleeps	scheduling point
 * 	local_irq_save, _disable	none	no	if a handler is expected
 * 	local_irq_restore, _enable	none	no	no
 * 	irqs_disabled			none	no	no
 * Context: any. While they are off the thread may not sleep, and neither hard
 * interrupts nor softirqs come to this CPU; what other CPUs do goes on. In the plain
 * build there are no interrupts, and these do nothing.
 */
#ifndef LINUX_IRQFLAGS_H
#define LINUX_IRQFLAGS_H

#include <linux/compiler.h>
#include <sim/world.h>

#ifdef SIM_EXPLORE
#define sim_irq_save() sim_irqs_off()
#define sim_irq_restore(were_off) sim_irqs_restore(were_off)
#define irqs_disabled() sim_irqs_disabled()
#else
static __always_inline unsigned long sim_irq_save(void)
{
	barrier();
	return 0;
}

static __always_inline void sim_irq_restore(unsigned long were_off)
{
	(void)were_off;
	barrier();
}

#define irqs_disabled() 0
#endif

#define local_irq_save(irqflags) ((irqflags) = sim_irq_save())
#define local_irq_restore(irqflags) sim_irq_restore(irqflags)
#define raw_local_irq_save(irqflags) local_irq_save(irqflags)
#define raw_local_irq_restore(irqflags) local_irq_restore(irqflags)
#define local_irq_disable() ((void)sim_irq_save())
#define local_irq_enable() sim_irq_restore(0ul)
#define local_save_flags(irqflags) ((irqflags) = irqs_disabled())

#endif /* LINUX_IRQFLAGS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/interrupt.h - softirqs.
 *
 * 	function			order	sleeps	scheduling point
 * 	open_softirq			none	no	yes
 * 	raise_softirq, _irqoff		none	no	no
 * Context: open_softirq: set-up. raise_softirq: any. The action runs on the CPU that
 * raised it, in softirq: once, at any later point where that CPU's interrupts and
 * bottom halves are on and no interrupt is being handled, at the latest when its
 * thread has ended. Raised again before that, it is raised once. Leaves out that it
 * comes at once when an interrupt ends, ksoftirqd, and tasklets. Hard interrupts are
 * the scenario's (trapline/scenario.h). In the plain build it comes at once.
 */
#ifndef LINUX_INTERRUPT_H
#define LINUX_INTERRUPT_H

#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>

enum {
	HI_SOFTIRQ,
	TIMER_SOFTIRQ,
	NET_TX_SOFTIRQ,
	NET_RX_SOFTIRQ,
	BLOCK_SOFTIRQ,
	IRQ_POLL_SOFTIRQ,
	TASKLET_SOFTIRQ,
	SCHED_SOFTIRQ,
	HRTIMER_SOFTIRQ,
	RCU_SOFTIRQ,
	NR_SOFTIRQS
};

void open_softirq(int nr, void (*action)(void));
void raise_softirq(unsigned int nr);

#define raise_softirq_irqoff(nr) raise_softirq(nr)

#endif /* LINUX_INTERRUPT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/bottom_half.h - softirqs of the running CPU, on and off.
 *
 * 	function			order	sleeps	scheduling point
 * 	local_bh_disable		none	no	if a handler is expected
 * 	local_bh_enable			none	no	no
 * Context: any but a hard interrupt. They nest. While they are off nothing may sleep,
 * and no softirq comes to this CPU; one that is expected comes at some later point,
 * not necessarily at once.
 */
#ifndef LINUX_BOTTOM_HALF_H
#define LINUX_BOTTOM_HALF_H

#include <linux/preempt.h>

#define local_bh_disable() sim_preempt((int)SOFTIRQ_DISABLE_OFFSET)
#define local_bh_enable() sim_preempt(-(int)SOFTIRQ_DISABLE_OFFSET)

#endif /* LINUX_BOTTOM_HALF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/rcupdate_trace.h - the RCU flavour whose readers may sleep.
 *
 * 	function			sleeps	scheduling point
 * 	rcu_read_lock_trace, _unlock_	no	the outermost pair
 * 	call_rcu_tasks_trace		no	yes
 * 	synchronize_rcu_tasks_trace	yes	yes
 * Context: task; readers may sleep. A grace period of this flavour implies none
 * of the other flavours here; kernels to 6.18 happen to imply an RCU one.
 */
#ifndef LINUX_RCUPDATE_TRACE_H
#define LINUX_RCUPDATE_TRACE_H

#include <linux/cleanup.h>
#include <linux/rcupdate.h>

void rcu_read_lock_trace(void);
void rcu_read_unlock_trace(void);
int rcu_read_lock_trace_held(void);
void call_rcu_tasks_trace(struct rcu_head *head, rcu_callback_t func);
void synchronize_rcu_tasks_trace(void);

DEFINE_LOCK_GUARD_0(rcu_tasks_trace, rcu_read_lock_trace(),
		    rcu_read_unlock_trace())

#endif /* LINUX_RCUPDATE_TRACE_H */

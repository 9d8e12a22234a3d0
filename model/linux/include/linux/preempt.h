/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/preempt.h - every thread has a CPU of its own.
 *
 * Context: any.
 */
#ifndef LINUX_PREEMPT_H
#define LINUX_PREEMPT_H

#include <linux/compiler.h>

#define preempt_disable() barrier()
#define preempt_enable() barrier()
#define preempt_disable_notrace() barrier()
#define preempt_enable_notrace() barrier()

#endif /* LINUX_PREEMPT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/sched/coredump.h - flags of an mm are in linux/mm_types.h.
 */
#ifndef LINUX_SCHED_COREDUMP_H
#define LINUX_SCHED_COREDUMP_H

#include <linux/mm_types.h>

#endif /* LINUX_SCHED_COREDUMP_H */

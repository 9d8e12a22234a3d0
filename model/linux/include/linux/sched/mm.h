/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/sched/mm.h - references to address spaces.
 *
 * 	function			order		sleeps	sched. point
 * 	mmget				none		no	yes
 * 	mmget_not_zero			full		no	yes
 * 	mmput				full		yes	yes
 * Context: any; mmput: task. Leaves out the second count, mm_count.
 */
#ifndef LINUX_SCHED_MM_H
#define LINUX_SCHED_MM_H

#include <linux/mm_types.h>
#include <linux/sched.h>

static inline void mmget(struct mm_struct *mm)
{
	atomic_inc(&mm->mm_users);
}

static inline bool mmget_not_zero(struct mm_struct *mm)
{
	return atomic_inc_not_zero(&mm->mm_users);
}

/* The last one ends the probe state of the mm and frees it. */
void mmput(struct mm_struct *mm);

#endif /* LINUX_SCHED_MM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/oom.h - may one rely on what an mm maps?
 *
 * 	function			lock		sleeps	scheduling point
 * 	check_stable_address_space	mmap_lock	no	yes
 * Context: any. 0, or not 0 for an mm whose copying failed half way, which somebody
 * has come by all the same. Leaves out the OOM killer.
 */
#ifndef LINUX_OOM_H
#define LINUX_OOM_H

#include <linux/mm.h>

static inline int check_stable_address_space(struct mm_struct *mm)
{
	return mm_flags_test(MMF_UNSTABLE, mm);
}

#endif /* LINUX_OOM_H */

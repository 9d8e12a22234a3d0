// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork.c - a task makes another one, with the same mm or a copy of it.
 *
 * Stands for kernel/fork.c of Linux 6.14..6.18, as far as probes notice. Registration
 * is kept out from before the first mapping is copied until the copy is complete, or
 * is done away with (P13). Left out: waiting for a vfork child, which is the world's.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <sim/entry.h>
#include "uprobes/uprobes.h"

static struct mm_struct *dup_mm(struct mm_struct *oldmm, void *priv, int *err)
{
	/* Nothing of uprobes_state is inherited (B32). */
	struct mm_struct *mm = sim_mm_new(oldmm->sim_arch, priv);

	*err = -ENOMEM;
	if (!mm)
		return NULL;
	uprobe_start_dup_mmap();
	*err = dup_mmap(mm, oldmm);
	if (*err)
		mmput(mm);
	uprobe_end_dup_mmap();
	return *err ? NULL : mm;
}

struct task_struct *sim_task_fork(unsigned int flags, int pid, int tgid,
				  void *priv, void *mm_priv, int *err)
{
	struct mm_struct *mm = current->mm;
	struct task_struct *child;

	if (!(flags & CLONE_VM)) {
		mm = dup_mm(mm, mm_priv, err);
		if (!mm)
			return NULL;
	}
	child = sim_task_new(mm, pid, tgid, priv);
	if (mm != current->mm)
		mmput(mm); /* the child has it */
	*err = child ? 0 : -ENOMEM;
	if (child)
		uprobe_copy_process(child, flags);
	return child;
}

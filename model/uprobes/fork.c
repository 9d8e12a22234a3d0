// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork.c - what a child has of its parent's probe state.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.13..6.18. Breakpoints come with the
 * text. The stack comes with return addresses that are our trampoline's, so a child
 * that has a copy of it, or goes on on its parent's (vfork), needs the instances; and
 * in an mm of its own the trampoline, at the parent's address.
 */
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/srcu.h>
#include <linux/task_work.h>
#include "uprobes/uprobes.h"

static void uprobe_warn(struct task_struct *t, const char *what)
{
	pr_warn("uprobe: no copy of the parent's %s for task %d\n", what,
		t->pid);
}

void uprobe_dup_mmap(struct mm_struct *oldmm, struct mm_struct *newmm)
{
	if (!mm_flags_test(MMF_HAS_UPROBES, oldmm))
		return;
	mm_flags_set(MMF_HAS_UPROBES, newmm);
	/* Not all mappings are copied: the one with the probe may be missing. */
	mm_flags_set(MMF_RECALC_UPROBES, newmm);
}

/*
 * Every pending instance of the current task for t, whose references are stable: a
 * lease is its owner's alone (B09). If the uprobe is gone the instance is needed all
 * the same, for its return address. What was copied before memory ran out stays, and
 * goes with the child's utask (B10).
 */
static int dup_utask(struct task_struct *t, struct uprobe_task *from)
{
	struct return_instance **link, *old, *new;
	struct uprobe_task *utask = alloc_utask();
	int idx, err = 0;

	if (!utask)
		return -ENOMEM;
	t->utask = utask;

	link = &utask->return_instances;
	idx = srcu_read_lock(&uretprobes_srcu);
	for (old = from->return_instances; old; old = old->next) {
		new = dup_return_instance(old);
		if (!new) {
			err = -ENOMEM;
			break;
		}
		hprobe_init_stable(&new->hprobe,
				   hprobe_expire(&old->hprobe, true));
		new->next = NULL;
		rcu_assign_pointer(*link, new);
		link = &new->next;
		utask->depth++;
	}
	srcu_read_unlock(&uretprobes_srcu, idx);
	return err;
}

/* The child, on its first way to user mode. */
static void dup_xol_work(struct callback_head *work)
{
	if (current->flags & PF_EXITING)
		return;
	if (!create_xol_area(current->mm, current->utask->dup_xol_addr) &&
	    !fatal_signal_pending(current))
		uprobe_warn(current, "XOL area");
}

void uprobe_copy_process(struct task_struct *t, unsigned int flags)
{
	struct uprobe_task *utask = current->utask;
	struct xol_area *area;

	if (!utask || !utask->return_instances)
		return;
	/* A thread has a stack of its own. */
	if (t->mm == current->mm && !(flags & CLONE_VFORK))
		return;

	if (dup_utask(t, utask)) {
		uprobe_warn(t, "return instances");
		return;
	}
	area = READ_ONCE(current->mm->uprobes_state.xol_area);
	if (!area) {
		uprobe_warn(t, "XOL area");
		return;
	}
	if (t->mm == current->mm)
		return;

	t->utask->dup_xol_addr = area->vaddr;
	init_task_work(&t->utask->dup_xol_work, dup_xol_work);
	task_work_add(t, &t->utask->dup_xol_work, TWA_RESUME);
}

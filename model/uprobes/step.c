// SPDX-License-Identifier: GPL-2.0-only
/*
 * step.c - a copied instruction is run: set-up, signals meanwhile, completion.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.13..6.18; how a denied signal comes
 * back is in signals.c.
 * Every function runs in the stepping task itself; utask.state has no other
 * writer. active_uprobe alone says "in a step"; the state refines it:
 *
 *	RUNNING -> SSTEP	pre_ssout
 *	SSTEP -> ACK		the step trap
 *	SSTEP -> TRAPPED	a signal that cannot wait, or the copy faulted
 *	ACK, TRAPPED -> RUNNING	handle_singlestep
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "machine.h"
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

int pre_ssout(struct uprobe *uprobe, struct pt_regs *regs, unsigned long vaddr)
{
	struct uprobe_task *utask = current->utask;
	int err;

	/* The step outlives the tasks-trace section of the hit. */
	if (!try_get_uprobe(uprobe))
		return -EINVAL;

	err = xol_get_insn_slot(uprobe, utask);
	if (err)
		goto put;

	utask->vaddr = vaddr;
	err = arch_uprobe_pre_xol(uprobe, regs);
	if (err)
		goto free_slot;

	utask->active_uprobe = uprobe;
	utask->state = UTASK_SSTEP;
	return 0;

free_slot:
	xol_free_insn_slot(utask);
put:
	put_uprobe(uprobe);
	return err;
}

int uprobe_post_sstep_notifier(struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;

	if (!current->mm || !utask || !utask->active_uprobe)
		return 0;

	utask->state = UTASK_SSTEP_ACK;
	set_thread_flag(TIF_UPROBE);
	return 1;
}

/*
 * No signal is delivered inside a step: its frame would hold an address in the
 * slot. That it was denied is not remembered in the state, which the step trap
 * overwrites (B17).
 */
bool uprobe_deny_signal(void)
{
	struct uprobe_task *utask = current->utask;

	if (likely(!utask || !utask->active_uprobe))
		return false;

	WARN_ON_ONCE(utask->state != UTASK_SSTEP);

	if (task_sigpending(current)) {
		uprobe_variant()->signals->deny(utask);

		if (machine_fatal_pending(current) ||
		    arch_uprobe_xol_was_trapped(current)) {
			utask->state = UTASK_SSTEP_TRAPPED;
			set_thread_flag(TIF_UPROBE);
		}
	}
	return true;
}

void handle_singlestep(struct uprobe_task *utask, struct pt_regs *regs)
{
	struct uprobe *uprobe = utask->active_uprobe;
	int err = 0;

	if (utask->state == UTASK_SSTEP_ACK)
		err = arch_uprobe_post_xol(uprobe, regs);
	else if (utask->state == UTASK_SSTEP_TRAPPED)
		arch_uprobe_abort_xol(uprobe, regs);
	else
		WARN_ON_ONCE(1);

	put_uprobe(uprobe);
	utask->active_uprobe = NULL;
	utask->state = UTASK_RUNNING;
	xol_free_insn_slot(utask);

	uprobe_variant()->signals->restore(utask);

	/* The instruction ran, but its result could not be put right. */
	if (unlikely(err))
		force_sig(SIGILL);
}

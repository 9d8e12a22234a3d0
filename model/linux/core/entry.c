// SPDX-License-Identifier: GPL-2.0-only
/*
 * entry.c - traps, and the loop on the way back to user mode.
 *
 * Mirrors what of arch/x86/kernel/traps.c, kernel/entry/common.c and get_signal
 * decides about probes. The world keeps the signals; what is decided here is
 * whether any may be delivered now.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/task_work.h>
#include <sim/entry.h>
#include "uprobes/control.h"
#include "uprobes/uprobes.h"

#define EXIT_TO_USER_WORK (_TIF_UPROBE | _TIF_SIGPENDING | _TIF_NOTIFY_RESUME)

bool sim_user_trap(enum sim_trap trap, int sig, struct pt_regs *regs)
{
	unsigned long vaddr;

	current->sim_regs = regs;
	switch (trap) {
	case SIM_TRAP_BREAKPOINT:
		return uprobe_pre_sstep_notifier(regs);
	case SIM_TRAP_STEP:
		return uprobe_post_sstep_notifier(regs);
	case SIM_TRAP_FAULT:
		/* Which trap it was does not matter: only that it was one. */
		current->thread.trap_nr = X86_TRAP_PF;
		force_sig(sig);
		break;
	case SIM_TRAP_SIGNAL:
		sim_signal_add(current);
		break;
	}
	return uprobe_pending_step(&vaddr);
}

long sim_user_uprobe(struct pt_regs *regs)
{
	current->sim_regs = regs;
	return sys_uprobe(regs);
}

/*
 * The kernel takes signals off the queues here. A denied one comes back: when
 * the step is over, the flag is set again.
 */
static void get_signal(struct sim_resume *out)
{
	if (unlikely(READ_ONCE(current->task_works)))
		task_work_run();
	if (unlikely(uprobe_deny_signal()))
		return;

	out->signals = true;
	sim_signal_take(out);
}

static void resume_user_mode_work(void)
{
	clear_thread_flag(TIF_NOTIFY_RESUME);
	/* Pairs with task_work_add: work first, then the flag. */
	smp_mb__after_atomic();
	if (unlikely(READ_ONCE(current->task_works)))
		task_work_run();
}

void sim_user_resume(struct pt_regs *regs, struct sim_resume *out)
{
	unsigned long work;

	memset(out, 0, sizeof(*out));
	current->sim_regs = regs;

	/* Any piece of work may make more, so look again after each round. */
	while ((work = read_thread_flags() & EXIT_TO_USER_WORK)) {
		if (work & _TIF_UPROBE)
			uprobe_notify_resume(regs);
		if (work & _TIF_SIGPENDING)
			get_signal(out);
		if (work & _TIF_NOTIFY_RESUME)
			resume_user_mode_work();
	}

	out->insn = uprobe_pending_step(&out->vaddr);
	out->step = out->insn != NULL;
}

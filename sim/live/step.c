// SPDX-License-Identifier: GPL-2.0-only
/*
 * step.c - run one copied instruction in its slot, and nothing else.
 *
 * A breakpoint behind the copy is the cheaper one and is exact for an
 * instruction that always continues behind itself; cheaper still is a jump there
 * (jump.c). The processor's single step is exact for branches, and wrong for what
 * stores the flags (the trap flag would be seen) or loads them (if another step
 * follows, the kernel takes its trap flag for the program's). A system call instruction runs
 * until it has entered the kernel: put right there, the call itself happens where
 * the program made it, under its own mask; a child, a signal frame and a restart
 * have the right ip.
 *
 * No signal handler may start in a slot: a frame would hold the slot's address
 * after the slot has gone to somebody else. So signals are blocked meanwhile.
 * Those that the instruction itself can raise stay unblocked: the kernel takes
 * a blocked one's handler away. When such a one comes from outside, it is held
 * here, like SIGSTOP, which nothing blocks.
 */
#include <string.h>
#include <sys/ptrace.h>

#include "regs.h"
#include "tracee.h"

static unsigned long synchronous(void)
{
	return sigbit(SIGTRAP) | sigbit(SIGSEGV) | sigbit(SIGBUS) |
	       sigbit(SIGFPE) | sigbit(SIGILL) | sigbit(SIGSYS);
}

bool live_is_fault(const siginfo_t *info)
{
	return info->si_code > 0 && sigbit(info->si_signo) & synchronous();
}

enum live_way live_step_way(enum live_step how, const struct arch_insn *insn)
{
	const unsigned int plain = ARCH_FALLS_THROUGH | ARCH_FIX_IP;
	const unsigned int touches = ARCH_READS_FLAGS | ARCH_FIX_FLAGS;
	unsigned char jump[ARCH_JUMP_MAX];

	if (!(insn->flags & ARCH_FALLS_THROUGH))
		return LIVE_WAY_STEP;
	/* In a jump's copy a signal may come, which makes it a step. */
	if (how == LIVE_STEP_AUTO && insn->flags == plain &&
	    arch_native->jump_to(jump, 0))
		return LIVE_WAY_JUMP;
	if (how != LIVE_STEP_HW || insn->flags & touches)
		return LIVE_WAY_BREAKPOINT;
	return LIVE_WAY_STEP;
}

static int request_for(const struct arch_insn *insn)
{
	if (insn->flags & ARCH_SYSCALL)
		return PTRACE_SYSCALL;
	/* The model has put a breakpoint behind what always falls through. */
	if (live_step_way(live.config->step, insn) != LIVE_WAY_STEP)
		return PTRACE_CONT;
	return PTRACE_SINGLESTEP;
}

/* Even if it has just died: the model believes in the step. */
static void begin(struct live_task *t, struct live_stepping step)
{
	struct live_stepping *s = &t->step;
	unsigned long held;

	*s = step;
	s->on = true;
	if (tracee_getmask(t, &s->mask))
		return;
	live_keep_step(t);
	/* What the program itself blocks stays so: a fault kills it then. */
	held = ~synchronous() | (s->mask & ~sigbit(SIGTRAP));
	tracee_setmask(t, held);
	live_step_continue(t);
}

void live_step_start(struct live_task *t, const struct sim_resume *how)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);

	live_slot_write(t);
	begin(t, (struct live_stepping){ .insn = how->insn,
					 .slot = arch->get_ip(&t->regs),
					 .vaddr = how->vaddr,
					 .request = request_for(how->insn) });
}

void live_step_instead(struct live_task *t, const siginfo_t *info,
		       const struct arch_insn *insn, unsigned long at,
		       unsigned long vaddr)
{
	live_hold(t, info);
	begin(t, (struct live_stepping){ .jump = true,
					 .insn = insn,
					 .slot = at,
					 .vaddr = vaddr,
					 .request = PTRACE_SINGLESTEP });
}

void live_step_continue(struct live_task *t)
{
	tracee_resume(t, t->step.request, 0);
}

/*
 * A repeated string instruction and a gather trap half-way, too. A program that
 * single-steps itself is to see that.
 */
static bool unfinished(const struct live_task *t, unsigned long ip)
{
	const struct live_stepping *s = &t->step;

	return ip == s->slot && s->insn->flags & ARCH_FALLS_THROUGH &&
	       !regs_steps_itself(&t->regs);
}

enum live_step_stop live_step_classify(struct live_task *t, siginfo_t *info)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);
	struct live_stepping *s = &t->step;
	unsigned long ip = arch->get_ip(&t->regs);

	if (!live_is_fault(info)) {
		live_hold(t, info);
		if (!live_trap_merged(t, info))
			return STEP_AGAIN;
	} else if (info->si_signo != SIGTRAP) {
		return STEP_FAULT;
	}
	if (s->request != PTRACE_CONT)
		return unfinished(t, ip) ? STEP_AGAIN : STEP_COMPLETE;
	if ((info->si_code == regs_abi.breakpoint || info->si_code <= 0) &&
	    ip == s->slot + s->insn->len + arch->bp_ip_adjust)
		arch->set_ip(&t->regs, s->slot + s->insn->len);
	return STEP_COMPLETE;
}

void live_step_end(struct live_task *t)
{
	if (!t->step.on)
		return;
	t->step.on = false;
	tracee_setmask(t, t->step.mask);
	live_keep_step_end(t);
}

void live_step_report(struct live_task *t)
{
	int sig = t->nr_held ? t->held[0].si_signo
			     : tracee_pending(t, ~t->step.mask, NULL, false);
	struct sim_resume how;

	live_step_end(t);
	/*
	 * Told as if it had come just before the step's end. Not in a detach:
	 * the model would abort a step that is complete.
	 */
	if (!sig || live.detaching)
		return;
	sim_user_trap(SIM_TRAP_SIGNAL, sig, &t->regs);
	sim_user_resume(&t->regs, &how);
}

bool live_step_unreported(struct live_task *t)
{
	siginfo_t info;

	return tracee_pending(t, synchronous(), &info, true) &&
	       info.si_code > 0;
}

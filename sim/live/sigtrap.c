// SPDX-License-Identifier: GPL-2.0-only
/*
 * sigtrap.c - what a breakpoint takes from a program that blocks, ignores or
 * handles SIGTRAP, and how it gets that back.
 *
 * A breakpoint is a forced SIGTRAP. If it is blocked or ignored, the kernel
 * unblocks it and puts the default action in the handler's place, and nobody
 * can read afterwards what was there. So it has to be known before. A thread's
 * mask changes by system calls and when a handler starts, a process's action by
 * system calls: tasks stop at all of these, unless the user wants it fast.
 *
 * As in the kernel, threads share an action and a new process has a copy.
 */
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "regs.h"
#include "tracee.h"

struct live_sighand {
	unsigned int users;
	struct live_action trap;
	bool unknown; /* there is a handler: set before we came */
};

#define DEFAULT 0ul
#define IGNORE 1ul
#define RESETHAND 0x80000000ul
#define RED_ZONE 128

static unsigned long trap_bit(pid_t tid, const char *key)
{
	return live_proc_number(tid, key, 16) & sigbit(SIGTRAP);
}

/* ---- whose it is ------------------------------------------------------------- */

static struct live_sighand *sighand_new(struct live_action trap)
{
	struct live_sighand *s = calloc(1, sizeof(*s));

	if (!s)
		sim_bug("out of memory for a task", __FILE__, __LINE__);
	s->users = 1;
	s->trap = trap;
	return s;
}

void live_sigtrap_end(struct live_task *t)
{
	if (t->sighand && !--t->sighand->users)
		free(t->sighand);
	t->sighand = NULL;
}

void live_sigtrap_start(struct live_task *t)
{
	live_sigtrap_end(t);
	t->sighand = sighand_new((struct live_action){
		.handler = trap_bit(t->tid, "SigIgn:") ? IGNORE : DEFAULT });
	t->sighand->unknown = trap_bit(t->tid, "SigCgt:");
	t->trap_blocked = trap_bit(t->tid, "SigBlk:");
}

void live_sigtrap_share(struct live_task *t, struct live_task *with)
{
	t->sighand = with->sighand;
	t->sighand->users++;
	t->trap_blocked = trap_bit(t->tid, "SigBlk:");
}

void live_sigtrap_inherit(struct live_task *child, struct live_task *parent,
			  unsigned long flags)
{
	struct live_action trap = parent->sighand->trap;

	child->trap_blocked = parent->trap_blocked;
	if (flags & CLONE_SIGHAND) {
		child->sighand = parent->sighand;
		child->sighand->users++;
		return;
	}
	if (flags & CLONE_CLEAR_SIGHAND && trap.handler != IGNORE)
		trap = (struct live_action){ .handler = DEFAULT };
	child->sighand = sighand_new(trap);
}

/* ---- give it back -------------------------------------------------------------- */

static long sigaction_at(struct live_task *t, unsigned long new,
			 unsigned long old)
{
	unsigned long arg[6] = { SIGTRAP, new, old,
				 sizeof(t->sighand->trap.mask) };

	return live_syscall(t, SYS_rt_sigaction, arg);
}

static void restore_action(struct live_task *t)
{
	unsigned long at;

	if (!live_scratch(t, &t->sighand->trap, sizeof(t->sighand->trap), &at))
		sigaction_at(t, at, 0);
}

/*
 * Ask the kernel: the answer needs memory that can be written, below what the
 * program may have on its stack.
 */
static void ask_action(struct live_task *t)
{
	struct live_action saved, now;
	unsigned long at =
		(arch_native->get_sp(&t->regs) - RED_ZONE - sizeof(now)) &
		-sizeof(long);

	if (machine_read(t->mm->mm, at, &saved, sizeof(saved)))
		return;
	if (!sigaction_at(t, 0, at) &&
	    !machine_read(t->mm->mm, at, &now, sizeof(now)))
		t->sighand->trap = now;
	machine_write(t->mm->mm, at, &saved, sizeof(saved));
}

void live_sigtrap_undo(struct live_task *t)
{
	unsigned long handler = t->sighand->trap.handler, mask;
	bool lost = t->trap_blocked || handler == IGNORE;

	if (live.config->fast || !lost)
		return;
	if (t->trap_blocked && !tracee_getmask(t, &mask))
		tracee_setmask(t, mask | sigbit(SIGTRAP));
	if (handler != DEFAULT)
		restore_action(t);
}

bool live_sigtrap_forced(struct live_task *t)
{
	unsigned long mask;

	return t->trap_blocked && !tracee_getmask(t, &mask) &&
	       !(mask & sigbit(SIGTRAP));
}

/* ---- keep up ------------------------------------------------------------------- */

static void read_mask(struct live_task *t)
{
	unsigned long mask;

	if (!tracee_getmask(t, &mask))
		t->trap_blocked = mask & sigbit(SIGTRAP);
}

void live_sigtrap_first_stop(struct live_task *t)
{
	if (live.config->fast)
		return;
	read_mask(t);
	if (t->sighand->unknown) {
		t->sighand->unknown = false;
		ask_action(t);
	}
}

/* How the call that t is in tells of SIGTRAP's action. */
enum about { NOTHING, SETS, SETS_32 };

static enum about about_trap(const struct live_call *c)
{
	if (c->arg[0] != SIGTRAP)
		return NOTHING;
	if (regs_is_sigaction_32(c->arch, c->nr))
		return SETS_32;
	return c->arch == regs_abi.audit_arch && c->nr == SYS_rt_sigaction
		       ? SETS
		       : NOTHING;
}

void live_sigtrap_call(struct live_task *t)
{
	const struct live_call *c = &t->call;

	/* Before the call: the old one may come in its place. */
	if (about_trap(c) == SETS && c->arg[1] &&
	    machine_read(t->mm->mm, c->arg[1], &t->new_action,
			 sizeof(t->new_action)))
		t->new_action = (struct live_action){ 0 };
}

/*
 * Meanwhile another thread may have hit a breakpoint: then what the call found
 * was not what the program had put there, and what it left is lost.
 */
static void action_set(struct live_task *t)
{
	struct live_sighand *s = t->sighand;
	unsigned long old = t->call.arg[2], found;

	if (old && s->trap.handler != DEFAULT &&
	    !machine_read(t->mm->mm, old, &found, sizeof(found)) &&
	    found == DEFAULT)
		machine_write(t->mm->mm, old, &s->trap.handler, sizeof(found));
	if (!t->call.arg[1])
		return;
	s->trap = t->new_action;
	if (s->users > 1)
		restore_action(t);
}

void live_sigtrap_result(struct live_task *t, bool failed)
{
	if (live.config->fast)
		return;
	read_mask(t);
	if (failed || about_trap(&t->call) == NOTHING || tracee_getregs(t))
		return;
	if (about_trap(&t->call) == SETS)
		action_set(t);
	else
		ask_action(t);
}

bool live_sigtrap_deliver(struct live_task *t, int sig)
{
	unsigned long *handler = &t->sighand->trap.handler;

	if (live.config->fast)
		return false;
	t->entering = live_proc_number(t->tid, "SigCgt:", 16) & sigbit(sig);
	if (sig == SIGTRAP && t->sighand->trap.flags & RESETHAND)
		*handler = DEFAULT;
	if (t->entering && (t->regs_valid || !tracee_getregs(t)))
		t->steps_itself = regs_steps_itself(&t->regs);
	return t->entering;
}

/*
 * We step into the handler. The kernel takes the trap flag of that for the
 * program's own, and saves it for the way back, if popf is what comes next or
 * was stepped just before.
 */
static void correct_frame(struct live_task *t)
{
	unsigned long flags, at, flag;

	if (!regs_frame_flag(&t->regs, &at, &flag) ||
	    machine_read(t->mm->mm, at, &flags, sizeof(flags)) ||
	    !(flags & flag) == !t->steps_itself)
		return;
	flags ^= flag;
	machine_write(t->mm->mm, at, &flags, sizeof(flags));
}

bool live_sigtrap_entered(struct live_task *t, const siginfo_t *info)
{
	bool entered = t->entering;

	t->entering = false;
	if (!entered || info->si_signo != SIGTRAP || info->si_code <= 0 ||
	    info->si_code == regs_abi.breakpoint)
		return false;
	read_mask(t);
	if (info->si_code == SIGTRAP) /* at its start, as the kernel says it */
		correct_frame(t);
	return true;
}

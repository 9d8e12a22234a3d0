// SPDX-License-Identifier: GPL-2.0-only
/*
 * child.c - new threads, new processes and new programs.
 *
 * What counts is whether the memory is shared, not which event tells of it. A
 * child that shares it runs into our breakpoints, so it is traced until it
 * gets memory of its own; any other child gets its text back and is let go.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "machine.h"
#include "regs.h"
#include "tracee.h"

/* Stops that came before the parent's report. */
struct early {
	struct early *next;
	pid_t tid;
	int status;
};

static struct early *early;

void live_child_early(pid_t tid, int status)
{
	struct early *e = malloc(sizeof(*e));

	if (!e)
		sim_bug("out of memory for a child", __FILE__, __LINE__);
	*e = (struct early){ early, tid, status };
	early = e;
}

/* The first status of a new child: seen already, or about to come. */
static int first_status(pid_t tid)
{
	struct early **link, *e;
	int status;

	for (link = &early; (e = *link); link = &e->next) {
		if (e->tid != tid)
			continue;
		status = e->status;
		*link = e->next;
		free(e);
		return status;
	}
	while (waitpid(tid, &status, __WALL) < 0)
		if (errno != EINTR)
			return 0;
	return status;
}

/* The flags of the call that t is in; it is stopped inside. */
static unsigned long clone_flags(struct live_task *t)
{
	unsigned long arg, flags = 0;
	long nr;

	if (tracee_getregs(t))
		return 0;
	nr = regs_call(t->tid, &t->regs);
	arg = regs_call_arg(&t->regs);
	if (nr == regs_abi.vfork)
		return CLONE_VM | CLONE_VFORK;
	if (nr == SYS_clone)
		return arg;
	if (nr == SYS_clone3)
		machine_read(t->mm->mm, arg, &flags, sizeof(flags));
	return flags;
}

static void adopt(struct live_task *t, pid_t tid, unsigned long flags,
		  int status)
{
	pid_t tgid = flags & CLONE_THREAD ? t->tgid : tid;
	struct live_task *child = live_task_new(tid, tgid, t->mm);

	if (!child)
		sim_bug("out of memory for a task", __FILE__, __LINE__);
	live_sigtrap_inherit(child, t, flags);
	live_task_status(child, status);
}

void live_child(struct live_task *t, int event)
{
	unsigned long tid = 0, flags = clone_flags(t);
	int status;

	if (t->dying || ptrace(PTRACE_GETEVENTMSG, t->tid, 0, &tid))
		return;
	status = first_status(tid);
	if (flags & CLONE_VM) {
		adopt(t, tid, flags, status);
	} else if (WIFSTOPPED(status)) {
		/* What the program has moved by itself has moved there, too. */
		live_mm_scan(t->mm, t->tid);
		live_unpatch_child(t->mm, t, tid);
		ptrace(PTRACE_DETACH, tid, 0, 0);
	}
	t->vforking = event == PTRACE_EVENT_VFORK;
	if (t->vforking && live.detaching) {
		/* Let it go to sleep; it parks as it is. */
		tracee_resume(t, PTRACE_CONT, 0);
		t->kicked = true;
		return;
	}
	live_task_run(t, 0);
}

/* The old program of t is no more. */
static void old_program(struct live_task *t)
{
	if (!t->task)
		return;
	sim_task_exit(t->task);
	sim_task_free(t->task);
	t->task = t->fiber.task = NULL;
	live_mm_put(t->mm);
	t->mm = NULL;
	t->step.on = false;
	t->nr_held = 0;
	t->nr_unwinding = 0;
	t->nr_revealed = 0;
}

/*
 * Of its memory nothing can be had: t runs on alone. A program that we have
 * launched has not begun yet; it had better not.
 */
static void untraceable(struct live_task *t, bool launched, int err)
{
	live_keep_exec(NULL);
	if (launched) {
		live_fail(LIVE_UNTRACEABLE, err, NULL);
		kill(t->tid, SIGKILL);
		return;
	}
	live_leader_left(err);
	live_task_leave(t, 0);
}

static int new_program(struct live_task *t)
{
	if (!regs_native(&t->regs))
		return EOPNOTSUPP;
	t->mm = live_mm_new(t->tid);
	if (!t->mm)
		return errno;
	t->task = sim_task_new(t->mm->mm, t->tid, t->tgid, t);
	if (!t->task)
		sim_bug("out of memory for a program", __FILE__, __LINE__);
	t->fiber.task = t->task;
	return 0;
}

void live_exec(struct live_task *t)
{
	bool launched = !t->task;
	int err;

	old_program(t);
	/* A child that had shared memory until now. */
	if (t->tgid != live.leader || tracee_getregs(t))
		live_task_leave(t, 0);
	err = new_program(t);
	if (err == ESRCH)
		live_task_leave(t, 0);
	if (err) {
		untraceable(t, launched, err);
		return;
	}
	live_sigtrap_start(t);
	t->mm->fresh = true;
	live_keep_exec(t->mm);
	live_linker_start(t);
	live_mm_scan(t->mm, t->tid);
	live_task_run(t, 0);
}

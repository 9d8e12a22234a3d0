// SPDX-License-Identifier: GPL-2.0-only
/*
 * detach.c - leave the program: the order in which it is done.
 *
 * First every task comes to its kernel side and parks there (task.c), out of
 * its slot and with its return addresses put back. Then the probes go, and the
 * breakpoints with them. Only then may a task run again. The last one of an
 * address space unmaps what we have mapped there.
 */
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "tracee.h"

void live_detach_begin(void)
{
	struct live_task *t, *next;

	live.detaching = true;
	HASH_ITER(hh, live.tasks, t, next) {
		ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
		/* It will not stop before its child has gone. */
		t->kicked = t->vforking;
		if (t->kicked)
			runq_wake(&t->fiber);
	}
}

/* ---- what was mapped ------------------------------------------------------------ */

/* After a call no signal can be delivered at the stop. */
static bool is_at_call_stop(const struct live_task *t, int sig)
{
	if (sig || t->nr_held || t->group_stop)
		return false;
	return t->status >> 16 == PTRACE_EVENT_STOP
		       ? WSTOPSIG(t->status) == SIGTRAP
		       : !(t->status >> 16);
}

/* Others may need it to send a signal again; not those that sleep in vfork. */
static bool is_last(void *arg)
{
	struct live_task *t = arg, *other, *next;

	if (t->has_status)
		return true;
	HASH_ITER(hh, live.tasks, other, next)
		if (other != t && other->mm == t->mm && !other->kicked)
			return false;
	return true;
}

/* The program might have put something else there. */
static bool is_ours(struct live_task *t, unsigned long start,
		    unsigned long size)
{
	FILE *maps = live_map_open(t->tid);
	struct live_map map;
	bool found = false;

	while (maps && !found && live_map_next(maps, &map))
		found = map.start <= start && start + size <= map.end &&
			!map.ino && !strcmp(map.perms, "r-xp");
	if (maps)
		fclose(maps);
	return found;
}

static void unmap(struct live_task *t, unsigned long start, unsigned long size)
{
	unsigned long arg[6] = { start, size };

	if (start && is_ours(t, start, size))
		live_syscall(t, SYS_munmap, arg);
}

void live_detach_unmap(struct live_task *t, int sig)
{
	struct live_mm *mm = t->mm;
	unsigned long size, area = live_jump_area(mm, &size);
	unsigned long page = mm->xol_borrowed ? 0 : mm->xol;

	if (mm->unmapped || !(area || page) || !is_at_call_stop(t, sig))
		return;
	mm->unmapped = true;
	runq_await(is_last, t);
	if (t->has_status || tracee_getregs(t))
		return;
	unmap(t, area, size);
	unmap(t, page, mm->xol_size);
	if (page)
		mm->xol = 0;
}

/* ---- the order ------------------------------------------------------------------- */

bool live_all_parked(void *unused)
{
	struct live_task *t, *next;

	HASH_ITER(hh, live.tasks, t, next)
		if (!t->parked && !t->dying)
			return false;
	return true;
}

bool live_all_gone(void *unused)
{
	struct live_task *t, *next;

	HASH_ITER(hh, live.tasks, t, next)
		if (!t->exited)
			return false;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * detach.c - leave the program: the order in which it is done.
 *
 * First every task comes to its kernel side and parks there (task.c), out of
 * its slot and with its return addresses put back. Then the probes go, and the
 * breakpoints with them. Only then may a task run again.
 */
#include <sys/ptrace.h>

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

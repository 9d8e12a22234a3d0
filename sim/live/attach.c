// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach.c - become the tracer of a running process.
 *
 * All threads must be ours before the first breakpoint. Each is stopped once,
 * since only from a stop on it can be seen at its system calls.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>

#include "symbols.h"
#include "tracee.h"

/*
 * Seize what is not ours yet; true if there was any. A thread that one of ours
 * makes is ours from the start and reports through it: -EPERM.
 */
static bool seize_some(pid_t pid, pid_t **tid, unsigned int *n)
{
	pid_t *bigger, one;
	struct dirent *d;
	bool some = false;
	char name[64];
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/task", pid);
	dir = opendir(name);
	while (dir && (d = readdir(dir))) {
		one = atoi(d->d_name);
		if (!one || ptrace(PTRACE_SEIZE, one, 0, LIVE_OPTIONS))
			continue;
		bigger = realloc(*tid, (*n + 1) * sizeof(*bigger));
		if (!bigger)
			sim_bug("out of memory for a thread", __FILE__,
				__LINE__);
		*tid = bigger;
		(*tid)[(*n)++] = one;
		some = true;
	}
	if (dir)
		closedir(dir);
	return some;
}

static int adopt_all(pid_t pid, const pid_t *tid, unsigned int n)
{
	struct live_mm *mm = live_mm_new(pid);
	struct live_task *t = NULL, *first = NULL;
	unsigned int i;
	int err;

	if (!mm) {
		live_fail(LIVE_SYSTEM, errno, "open the process's memory");
		return -1;
	}
	err = live_keep_start(pid, mm);
	if (err == -EEXIST) {
		live_fail(LIVE_UNREPAIRED, EEXIST, NULL);
		live_mm_put(mm);
		return -1;
	}
	if (err)
		sim_warn("no record is kept: if trapline is killed, "
			 "the process cannot be repaired",
			 __FILE__, __LINE__);
	for (i = 0; i < n; i++) {
		t = live_task_new(tid[i], pid, mm);
		if (!t) {
			live_fail(LIVE_SYSTEM, ENOMEM, "trace so many threads");
			break;
		}
		if (first)
			live_sigtrap_share(t, first);
		else
			live_sigtrap_start(first = t);
		if (!live.config->fast)
			ptrace(PTRACE_INTERRUPT, tid[i], 0, 0);
	}
	if (t) {
		live_linker_start(t);
		live_linker_update(t);
	}
	/* The tasks have it now. */
	live_mm_put(mm);
	return t ? 0 : -1;
}

int live_attach(pid_t pid)
{
	struct symbols *program;
	pid_t *tid = NULL;
	unsigned int n = 0;
	char name[64];
	int err;

	if (ptrace(PTRACE_SEIZE, pid, 0, LIVE_OPTIONS)) {
		live_fail(LIVE_PTRACE, errno, NULL);
		return -1;
	}
	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	program = symbols_open(name);
	if (!program) {
		live_fail(LIVE_SYSTEM, errno, "read the program");
		return -1;
	}
	symbols_close(program);
	tid = malloc(sizeof(*tid));
	if (!tid)
		sim_bug("out of memory for a thread", __FILE__, __LINE__);
	tid[n++] = pid;
	while (seize_some(pid, &tid, &n))
		;
	err = adopt_all(pid, tid, n);
	free(tid);
	return err;
}

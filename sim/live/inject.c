// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject.c - make a stopped task run one system call for us.
 *
 * Only at a breakpoint stop of our own: the task was in user mode, so there is
 * no interrupted system call to be restarted. An instruction that the program
 * has already (the vDSO's, the linker's) is used, because other threads may
 * run through anything that we would write.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracee.h"

#define SYSCALL_STOP (SIGTRAP | 0x80)

static unsigned long search(struct live_mm *mm, const struct live_map *map)
{
	static const unsigned char insn[] = { 0x0f, 0x05 };
	unsigned long at, size = map->end - map->start;
	unsigned char *text, *hit = NULL;
	ssize_t n;

	/* What is in slots comes and goes. */
	if (map->perms[2] != 'x' || map->start == mm->xol)
		return 0;
	text = malloc(size);
	if (!text)
		return 0;
	n = pread(mm->mem, text, size, map->start);
	if (n > 0)
		hit = memmem(text, n, insn, sizeof(insn));
	at = hit ? map->start + (hit - text) : 0;
	free(text);
	return at;
}

/* The vDSO is searched first: it is small and nothing unmaps it. */
static unsigned long find_insn(struct live_mm *mm, pid_t tid)
{
	unsigned long vdso = 0, other = 0;
	FILE *maps = live_map_open(tid);
	struct live_map map;

	while (maps && !vdso && live_map_next(maps, &map)) {
		if (!strcmp(map.path, "[vdso]"))
			vdso = search(mm, &map);
		else if (!other && strcmp(map.path, "[vsyscall]"))
			other = search(mm, &map);
	}
	if (maps)
		fclose(maps);
	return vdso ? vdso : other;
}

/* Wait for this task alone. 0 at a system call stop. */
static int wait_for_call(struct live_task *t, bool *stopped)
{
	int status;

	for (;;) {
		if (tracee_resume(t, PTRACE_SYSCALL, 0))
			return -ESRCH;
		while (waitpid(t->tid, &status, __WALL) < 0)
			if (errno != EINTR)
				return -ESRCH;
		if (!WIFSTOPPED(status)) {
			live_task_status(t, status);
			return -ESRCH;
		}
		if (WSTOPSIG(status) == SYSCALL_STOP)
			return 0;
		/* A group stop: obeyed later. Others are held by the mask. */
		if (status >> 16 == PTRACE_EVENT_STOP &&
		    WSTOPSIG(status) != SIGTRAP)
			*stopped = true;
	}
}

long live_syscall(struct live_task *t, long nr, const unsigned long arg[6])
{
	struct pt_regs saved = t->regs;
	unsigned long mask = 0;
	bool stopped = false;
	long ret = -ESRCH;

	if (!t->mm->syscall_insn)
		t->mm->syscall_insn = find_insn(t->mm, t->tid);
	if (!t->mm->syscall_insn)
		return -ENOEXEC;
	if (tracee_getmask(t, &mask) || tracee_setmask(t, ~0ul))
		return -ESRCH;
	t->regs.ip = t->mm->syscall_insn;
	t->regs.ax = nr;
	t->regs.orig_ax = -1ul;
	t->regs.di = arg[0];
	t->regs.si = arg[1];
	t->regs.dx = arg[2];
	t->regs.r10 = arg[3];
	t->regs.r8 = arg[4];
	t->regs.r9 = arg[5];
	/* Entry, then exit. */
	if (!wait_for_call(t, &stopped) && !wait_for_call(t, &stopped) &&
	    !tracee_getregs(t)) {
		ret = t->regs.ax;
		tracee_setmask(t, mask);
	}
	t->regs = saved;
	t->regs_valid = true;
	if (stopped && t->nr_held < LIVE_MAX_HELD)
		t->held[t->nr_held++] = (siginfo_t){ .si_signo = SIGSTOP };
	return ret;
}

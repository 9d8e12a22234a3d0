// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject.c - make a stopped task run one system call for us.
 *
 * An instruction that the program has already (the vDSO's, the linker's) is
 * used, because other threads may run through anything that we would write.
 *
 * The task may be stopped anywhere but on its way into a system call. If it is
 * on the way out of one, that call may have to be restarted, which the kernel
 * decides after the stops that it makes for signals: so the task is brought to
 * such a stop again before it gets its registers back.
 *
 * A seccomp filter may kill for any call, and only the privileged can read it.
 * They can switch it off for a moment, too; else no call is made.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "regs.h"
#include "tracee.h"

static unsigned char *find_aligned(unsigned char *text, size_t n)
{
	const size_t len = regs_abi.call_len, align = arch_native->insn_align;
	unsigned char *at = text, *end = text + n;

	while ((at = memmem(at, end - at, regs_abi.call, len)) &&
	       (at - text) % align)
		at++;
	return at;
}

static unsigned long search(struct live_mm *mm, const struct live_map *map)
{
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
		hit = find_aligned(text, n);
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

/* ---- one call ----------------------------------------------------------------- */

/*
 * Resume by `request` and wait for this task alone, until it is stopped at a
 * system call or (wanted is PTRACE_EVENT_STOP) for no signal.
 */
static int run_to(struct live_task *t, int request, int wanted, bool *stopped)
{
	int status;

	for (;;) {
		if (tracee_resume(t, request, 0))
			return -ESRCH;
		while (waitpid(t->tid, &status, __WALL) < 0)
			if (errno != EINTR)
				return -ESRCH;
		/*
		 * It ends. Not resumed here: the status of a first thread
		 * comes after those of all others, which we would not see.
		 */
		if (!WIFSTOPPED(status) || status >> 16 == PTRACE_EVENT_EXIT) {
			live_dispatch(t->tid, status);
			return -ESRCH;
		}
		t->status = status;
		/* A group stop: obeyed later. Others are held by the mask. */
		if (status >> 16 == PTRACE_EVENT_STOP &&
		    WSTOPSIG(status) != SIGTRAP)
			*stopped = true;
		if (wanted == PTRACE_EVENT_STOP
			    ? status >> 16 == PTRACE_EVENT_STOP
			    : WSTOPSIG(status) == LIVE_SYSCALL_STOP)
			return 0;
	}
}

/*
 * Registers as they were, after call nr, at a stop after which the kernel looks
 * at them.
 */
static void go_back(struct live_task *t, const struct pt_regs *saved, long nr,
		    bool *stopped)
{
	t->regs = *saved;
	t->regs_valid = true;
	regs_set_call(t->tid, &t->regs, nr);
	if (nr < 0)
		return;
	if (!ptrace(PTRACE_INTERRUPT, t->tid, 0, 0) &&
	    !run_to(t, PTRACE_CONT, PTRACE_EVENT_STOP, stopped))
		tracee_getregs(t);
}

/* ---- seccomp ------------------------------------------------------------------ */

static int with_seccomp_off(struct live_task *t, bool off)
{
	int more = live.config->pid ? 0 : PTRACE_O_EXITKILL;

	return tracee_setoptions(
		t, LIVE_OPTIONS | more | (off ? PTRACE_O_SUSPEND_SECCOMP : 0));
}

/* False: a call might be the program's end. */
static bool seccomp_permits(struct live_task *t, bool *suspended)
{
	*suspended = false;
	if (!live_proc_number(t->tid, "Seccomp:", 10))
		return true;
	*suspended = !with_seccomp_off(t, true);
	return *suspended;
}

long live_syscall(struct live_task *t, long nr, const unsigned long arg[6])
{
	struct pt_regs saved = t->regs;
	bool stopped = false, suspended;
	unsigned long mask = 0;
	long ret = -ESRCH, in_call;

	if (!t->mm->syscall_insn)
		t->mm->syscall_insn = find_insn(t->mm, t->tid);
	if (!t->mm->syscall_insn)
		return -ENOEXEC;
	if (!seccomp_permits(t, &suspended))
		return -EPERM;
	if (tracee_getmask(t, &mask) || tracee_setmask(t, ~0ul))
		return -ESRCH;
	in_call = regs_call(t->tid, &t->regs);
	regs_make_call(t->tid, &t->regs, t->mm->syscall_insn, nr, arg);
	/* Entry, then exit. */
	if (!run_to(t, PTRACE_SYSCALL, LIVE_SYSCALL_STOP, &stopped) &&
	    !run_to(t, PTRACE_SYSCALL, LIVE_SYSCALL_STOP, &stopped) &&
	    !tracee_getregs(t)) {
		ret = regs_call_result(&t->regs);
		tracee_setmask(t, mask);
	}
	if (suspended)
		with_seccomp_off(t, false);
	go_back(t, &saved, in_call, &stopped);
	if (stopped && t->nr_held < LIVE_MAX_HELD)
		t->held[t->nr_held++] = (siginfo_t){ .si_signo = SIGSTOP };
	return ret;
}

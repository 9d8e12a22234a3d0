// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - the system calls of a tracer, all of them, in order.
 *
 * A tracer can be traced itself; its own child is left alone. So whatever way
 * it takes into the kernel is seen, also that of a sanitizer's build.
 */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CALLS 100000
/* So many hits in a row have to look the same. */
#define REPEATS 8
/* What the kernel shows a tracer of a call that is to be made again. */
#define ERESTARTSYS 512

struct recording {
	struct recipe_call call[MAX_CALLS];
	unsigned long ip[MAX_CALLS]; /* that getregs has read */
	unsigned int nr;
	bool open; /* the last one has not ended yet */
};

static struct recipe_call ptrace_call(const struct user_regs_struct *regs)
{
	struct recipe_call c = { .kind = RECIPE_PTRACE_OTHER };

	switch (regs->rdi) {
	case PTRACE_GETSIGINFO:
		c.kind = RECIPE_SIGINFO;
		break;
	case PTRACE_PEEKSIGINFO:
		c.kind = RECIPE_PEEKINFO;
		break;
	case PTRACE_GETREGS:
		c.kind = RECIPE_GETREGS;
		break;
	case PTRACE_SETREGS:
		c.kind = RECIPE_SETREGS;
		break;
	case PTRACE_PEEKUSER:
	case PTRACE_POKEUSER:
		c.kind = regs->rdi == PTRACE_PEEKUSER ? RECIPE_PEEK
						      : RECIPE_POKE;
		c.arg = regs->rdx;
		break;
	case PTRACE_GETSIGMASK:
		c.kind = RECIPE_GETMASK;
		break;
	case PTRACE_SETSIGMASK:
		c.kind = RECIPE_SETMASK;
		break;
	case PTRACE_CONT:
		c.kind = RECIPE_CONT;
		break;
	case PTRACE_SYSCALL:
		c.kind = RECIPE_CONT_CALL;
		break;
	case PTRACE_SINGLESTEP:
		c.kind = RECIPE_STEP;
		break;
	default:
		c.arg = regs->rdi;
	}
	return c;
}

static struct recipe_call decode(const struct user_regs_struct *regs)
{
	switch (regs->orig_rax) {
	case SYS_ptrace:
		return ptrace_call(regs);
	case SYS_wait4:
		if (regs->rdx & WNOHANG)
			return (struct recipe_call){ .kind = RECIPE_LOOK };
		return (struct recipe_call){ .kind = RECIPE_WAIT };
	case SYS_pread64:
		return (struct recipe_call){ RECIPE_READ, regs->rdx };
	case SYS_pwrite64:
		return (struct recipe_call){ RECIPE_WRITE, regs->rdx };
	default:
		return (struct recipe_call){ RECIPE_OTHER, regs->orig_rax };
	}
}

static pid_t start(char *const argv[])
{
	pid_t pid = fork();
	int null;

	if (pid)
		return pid;
	null = open("/dev/null", O_WRONLY);
	dup2(null, STDOUT_FILENO);
	/* A sanitizer looks for leaks by ptrace, which is taken. */
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	execv(argv[0], argv);
	_exit(127);
}

/* False: it has ended, with *status. */
static bool next_stop(pid_t pid, int sig, int *status)
{
	ptrace(PTRACE_SYSCALL, pid, 0, sig);
	return waitpid(pid, status, __WALL) == pid && WIFSTOPPED(*status);
}

/* What the tracer has just been told. */
static unsigned long read_ip(pid_t pid, const struct user_regs_struct *call)
{
	struct user_regs_struct regs = { 0 };
	struct iovec to = { &regs, sizeof(regs) };
	struct iovec from = { (void *)call->r10, sizeof(regs) };

	return process_vm_readv(pid, &to, 1, &from, 1, 0) < 0 ? 0 : regs.rip;
}

/*
 * The clock's signals are no part of a hit: neither the end of their handler,
 * nor a wait that they cut short, which is made again. Nor are looks that see
 * nothing, and what lies between two.
 */
static bool in_vain(const struct recipe_call *c, long result)
{
	return result == -EINTR || result == -ERESTARTSYS ||
	       (c->kind == RECIPE_LOOK && !result) ||
	       (c->kind == RECIPE_OTHER && c->arg == SYS_sched_yield);
}

static void syscall_stop(pid_t pid, bool entry, struct recording *rec)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	if (entry) {
		rec->open = regs.orig_rax != SYS_rt_sigreturn &&
			    rec->nr < MAX_CALLS;
		if (rec->open)
			rec->call[rec->nr++] = decode(&regs);
	} else if (rec->open && in_vain(&rec->call[rec->nr - 1], regs.rax)) {
		rec->nr--;
	} else if (rec->open && rec->call[rec->nr - 1].kind == RECIPE_GETREGS) {
		rec->ip[rec->nr - 1] = read_ip(pid, &regs);
	}
}

static bool watch(char *const argv[], struct recording *rec)
{
	bool entry = true;
	int status, sig = 0;
	pid_t pid = start(argv);

	if (pid < 0 || waitpid(pid, &status, __WALL) != pid ||
	    !WIFSTOPPED(status))
		return false;
	ptrace(PTRACE_SETOPTIONS, pid, 0,
	       PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
	while (next_stop(pid, sig, &status)) {
		sig = 0;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			syscall_stop(pid, entry, rec);
			entry = !entry;
		} else if (!(status >> 16)) {
			sig = WSTOPSIG(status);
		}
	}
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool same(const struct recipe_call *a, const struct recipe_call *b)
{
	return a->kind == b->kind && a->arg == b->arg;
}

static bool repeats(const struct recording *rec, unsigned int at,
		    unsigned int period)
{
	unsigned int i;

	if (at + REPEATS * period > rec->nr)
		return false;
	for (i = at; i < at + (REPEATS - 1) * period; i++)
		if (!same(&rec->call[i], &rec->call[i + period]))
			return false;
	return true;
}

static unsigned int count(const struct recording *rec, unsigned long ip)
{
	unsigned int i, n = 0;

	for (i = 0; i < rec->nr; i++)
		n += rec->ip[i] == ip;
	return n;
}

/* Where the program is at a hit's first stop: of what comes often, the first. */
static unsigned long probed_ip(const struct recording *rec)
{
	unsigned int i;

	for (i = 0; i < rec->nr; i++)
		if (rec->ip[i] && count(rec, rec->ip[i]) > 2 * REPEATS)
			return rec->ip[i];
	return 0;
}

static bool starts_hit(const struct recording *rec, unsigned int at,
		       unsigned long ip)
{
	if (!recipe_waits(&rec->call[at]))
		return false;
	while (++at < rec->nr && !recipe_waits(&rec->call[at]))
		if (rec->ip[at])
			return rec->ip[at] == ip;
	return false;
}

static bool find(const struct recording *rec, unsigned int at,
		 unsigned int stops, struct recipe *r)
{
	unsigned int n, waits = 0;

	for (n = 0; at + n < rec->nr && n < sizeof(r->call) / sizeof(*r->call);
	     n++) {
		waits += recipe_waits(&rec->call[at + n]);
		if (waits <= stops)
			r->call[n] = rec->call[at + n];
		else
			break;
	}
	r->nr = n;
	return waits > stops && repeats(rec, at, n);
}

int record_hit(char *const argv[], unsigned int stops, struct recipe *r)
{
	struct recording *rec = calloc(1, sizeof(*rec));
	unsigned long ip;
	unsigned int at;
	int ret = -1;

	if (rec && watch(argv, rec)) {
		ret = -2;
		ip = probed_ip(rec);
		/* From the middle: all is warm by then, nothing ends yet. */
		for (at = rec->nr / 2; at < rec->nr && ret; at++)
			if (starts_hit(rec, at, ip) && find(rec, at, stops, r))
				ret = 0;
	}
	free(rec);
	return ret;
}

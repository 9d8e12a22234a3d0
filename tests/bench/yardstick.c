// SPDX-License-Identifier: GPL-2.0-only
/*
 * yardstick.c - a hit's system calls, and as little else as a program can do.
 *
 * The traced loop is a fork of this program, so all addresses are known, and so
 * are the instructions: nothing is looked up, decoded or decided.
 */
#include "yardstick.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"

/* A transfer that the stop needs; a recipe makes them in this order. */
struct transfer {
	unsigned long addr;
	const void *from; /* NULL: it is read */
	unsigned long n;
	int optional; /* done once before */
};

struct yardstick {
	enum yardstick_hit hit;
	pid_t pid;
	int mem;
	struct user_regs_struct regs;
	unsigned int stop; /* of the hit, counted from 0 */
	struct transfer transfer[4];
	unsigned int nr, done;
	unsigned long ret; /* where bench_push returns to */
	unsigned long mask;
	const char *why;
};

static const unsigned char breakpoint = 0xcc;
/* lea; int3, and lea; jmp *0(%rip) with room for the address. */
static const unsigned char slot[] = { 0x8d, 0x47, 0x01, 0xcc };
static const unsigned char jump[] = {
	0x8d, 0x47, 0x01, 0xff, 0x25, 0, 0, 0, 0
};
static const void *const trampoline = bench_trampoline;

static const struct {
	const char *function;
	unsigned char *addr;
	unsigned int stops;
} hits[] = {
	[YARDSTICK_EMULATE] = { "bench_push", (void *)bench_push, 1 },
	[YARDSTICK_STEP] = { "bench_lea", (void *)bench_lea, 2 },
	[YARDSTICK_JUMP] = { "bench_lea", (void *)bench_lea, 1 },
	[YARDSTICK_RETURN] = { "bench_push", (void *)bench_push, 2 },
};

unsigned int yardstick_stops(enum yardstick_hit hit)
{
	return hits[hit].stops;
}

const char *yardstick_function(enum yardstick_hit hit)
{
	return hits[hit].function;
}

/* ---- what a stop has to bring about ------------------------------------------ */

static void add(struct yardstick *y, struct transfer t)
{
	y->transfer[y->nr++] = t;
}

static void push(struct yardstick *y)
{
	y->regs.rip = (unsigned long)bench_push + BENCH_PUSH_LEN;
	y->regs.rsp -= 8;
	add(y, (struct transfer){ y->regs.rsp, &y->regs.rbp, 8, 0 });
}

/* The registers have just been read. */
static void plan(struct yardstick *y)
{
	unsigned long sp = y->regs.rsp;

	y->nr = y->done = 0;
	if (y->hit == YARDSTICK_EMULATE) {
		push(y);
	} else if (y->hit == YARDSTICK_STEP && !y->stop) {
		y->regs.rip = (unsigned long)bench_slot;
		add(y, (struct transfer){ y->regs.rip, slot, sizeof(slot), 1 });
	} else if (y->hit == YARDSTICK_JUMP) {
		y->regs.rip = (unsigned long)bench_slot;
	} else if (y->hit == YARDSTICK_STEP) {
		y->regs.rip = (unsigned long)bench_lea + BENCH_LEA_LEN;
	} else if (!y->stop) {
		add(y, (struct transfer){ sp, NULL, 8, 0 });
		add(y, (struct transfer){ sp, &trampoline, 8, 0 });
		push(y);
	} else {
		y->regs.rip = y->ret;
	}
}

/* ---- calls ------------------------------------------------------------------------- */

static int transfer(struct yardstick *y, const struct recipe_call *c)
{
	struct transfer *t = &y->transfer[y->done++];

	if (y->done > y->nr || t->n != c->arg ||
	    !t->from != (c->kind == RECIPE_READ)) {
		y->why = "a transfer that the hit has no use for";
		return -1;
	}
	if (t->from)
		return pwrite(y->mem, t->from, t->n, t->addr) == (ssize_t)t->n
			       ? 0
			       : -1;
	if (pread(y->mem, &y->ret, t->n, t->addr) != (ssize_t)t->n)
		return -1;
	return 0;
}

static int resume(struct yardstick *y, int request)
{
	while (y->done < y->nr && y->transfer[y->done].optional)
		y->done++;
	if (y->done != y->nr) {
		y->why = "the hit needs more than the recipe does";
		return -1;
	}
	y->stop = y->stop + 1 == hits[y->hit].stops ? 0 : y->stop + 1;
	return ptrace(request, y->pid, 0, 0);
}

static int set_mask(struct yardstick *y)
{
	unsigned long synchronous = 1ul << (SIGTRAP - 1) | 1ul << (SIGILL - 1) |
				    1ul << (SIGFPE - 1) | 1ul << (SIGSEGV - 1) |
				    1ul << (SIGBUS - 1) | 1ul << (SIGSYS - 1);
	unsigned long mask = y->stop ? y->mask : ~synchronous;

	return ptrace(PTRACE_SETSIGMASK, y->pid, sizeof(mask), &mask);
}

static int peek_queue(struct yardstick *y)
{
	struct __ptrace_peeksiginfo_args args = { .nr = 16 };
	siginfo_t queue[16];

	return ptrace(PTRACE_PEEKSIGINFO, y->pid, &args, queue) < 0 ? -1 : 0;
}

static int make(struct yardstick *y, const struct recipe_call *c)
{
	siginfo_t info;

	switch (c->kind) {
	case RECIPE_SIGINFO:
		return ptrace(PTRACE_GETSIGINFO, y->pid, 0, &info);
	case RECIPE_PEEKINFO:
		return peek_queue(y);
	case RECIPE_GETREGS:
		if (ptrace(PTRACE_GETREGS, y->pid, 0, &y->regs))
			return -1;
		plan(y);
		return 0;
	case RECIPE_SETREGS:
		return ptrace(PTRACE_SETREGS, y->pid, 0, &y->regs);
	case RECIPE_POKE:
		return ptrace(PTRACE_POKEUSER, y->pid, c->arg,
			      ((unsigned long *)&y->regs)[c->arg / 8]);
	case RECIPE_GETMASK:
		return ptrace(PTRACE_GETSIGMASK, y->pid, sizeof(y->mask),
			      &y->mask);
	case RECIPE_SETMASK:
		return set_mask(y);
	case RECIPE_READ:
	case RECIPE_WRITE:
		return transfer(y, c);
	case RECIPE_CONT:
		return resume(y, PTRACE_CONT);
	case RECIPE_CONT_CALL:
		return resume(y, PTRACE_SYSCALL);
	case RECIPE_STEP:
		return resume(y, PTRACE_SINGLESTEP);
	default:
		y->why = "a call that the yardstick does not know";
		return -1;
	}
}

static pid_t wait_for_stop(const struct recipe_call *c, int *status)
{
	pid_t pid;

	if (c->kind == RECIPE_WAIT)
		return waitpid(-1, status, __WALL);
	while (!(pid = waitpid(-1, status, __WALL | WNOHANG)))
		sched_yield();
	return pid;
}

/* A system call: the loop is over, its times are printed. */
static int finish(const struct yardstick *y, int *status)
{
	while (*status == ((SIGTRAP | 0x80) << 8 | 0x7f))
		if (ptrace(PTRACE_CONT, y->pid, 0, 0) ||
		    waitpid(y->pid, status, __WALL) != y->pid)
			return -1;
	return 0;
}

/* Until the program ends; its status is in *status. */
static int follow(struct yardstick *y, const struct recipe *recipe, int *status)
{
	unsigned int i;

	for (;;) {
		for (i = 0; i < recipe->nr; i++) {
			const struct recipe_call *c = &recipe->call[i];

			if (!recipe_waits(c)) {
				if (make(y, c))
					return -1;
				continue;
			}
			if (wait_for_stop(c, status) != y->pid)
				return -1;
			if (*status == (SIGTRAP << 8 | 0x7f))
				continue;
			return i ? -1 : finish(y, status);
		}
	}
}

/* ---- start and end ------------------------------------------------------------------- */

static int open_memory(pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	return open(name, O_RDWR | O_CLOEXEC);
}

static int put(const struct yardstick *y, const void *to, const void *from,
	       ssize_t n)
{
	return pwrite(y->mem, from, n, (unsigned long)to) == n ? 0 : -1;
}

static int fill_slot(const struct yardstick *y)
{
	unsigned long next = (unsigned long)bench_lea + BENCH_LEA_LEN;

	if (y->hit != YARDSTICK_JUMP)
		return put(y, bench_slot, slot, sizeof(slot));
	return put(y, bench_slot, jump, sizeof(jump)) ||
	       put(y, bench_slot + sizeof(jump), &next, sizeof(next));
}

static int patch(struct yardstick *y)
{
	y->mem = open_memory(y->pid);
	if (y->mem < 0 || put(y, hits[y->hit].addr, &breakpoint, 1) ||
	    fill_slot(y))
		return -1;
	return ptrace(PTRACE_CONT, y->pid, 0, 0);
}

static void __attribute__((noreturn))
child(const struct yardstick *y, unsigned int bursts, unsigned int calls,
      int out)
{
	if (dup2(out, STDOUT_FILENO) < 0 || ptrace(PTRACE_TRACEME, 0, 0, 0))
		_exit(3);
	raise(SIGSTOP);
	_exit(bench_loop(hits[y->hit].function, bursts, calls));
}

int yardstick_run(enum yardstick_hit hit, const struct recipe *recipe,
		  unsigned int bursts, unsigned int calls, int out,
		  const char **why)
{
	struct yardstick y = { .hit = hit, .mem = -1 };
	int status = 0x7f, err;

	fflush(stdout);
	y.pid = fork();
	if (!y.pid)
		child(&y, bursts, calls, out);
	err = y.pid < 0 || waitpid(y.pid, &status, __WALL) != y.pid ||
	      !WIFSTOPPED(status) ||
	      ptrace(PTRACE_SETOPTIONS, y.pid, 0,
		     PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD) ||
	      patch(&y) || follow(&y, recipe, &status);
	if (!err && status) {
		y.why = "the program did not come to its right end";
		err = -1;
	}
	if (y.pid > 0 && !WIFEXITED(status) && !WIFSIGNALED(status)) {
		kill(y.pid, SIGKILL);
		waitpid(y.pid, NULL, __WALL);
	}
	if (y.mem >= 0)
		close(y.mem);
	*why = y.why ? y.why : strerror(errno);
	return err ? -1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * native.c - one instruction on the CPU, in a traced child.
 */
#define _GNU_SOURCE
#include "native.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define RF 0x10000ul /* set in the image of a fault, never seen by programs */

static pid_t child;
static struct native_state start; /* registers and xstate of the child */

_Static_assert(sizeof(struct user_regs_struct) ==
		       offsetof(struct pt_regs, gs) + sizeof(long),
	       "pt_regs begins like user_regs_struct");

static void die(const char *what)
{
	fprintf(stderr, "native: %s: %s\n", what, strerror(errno));
	exit(99);
}

static void map(unsigned long addr, size_t size)
{
	void *p = mmap((void *)addr, size, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (void *)addr)
		die("mmap");
}

static void get_state(struct native_state *s)
{
	struct iovec iov = { s->xstate, sizeof(s->xstate) };
	struct user_regs_struct u;

	if (ptrace(PTRACE_GETREGS, child, 0, &u))
		die("PTRACE_GETREGS");
	memcpy(&s->regs, &u, sizeof(u));
	if (ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &iov))
		die("PTRACE_GETREGSET");
	s->xsize = iov.iov_len;
	memcpy(s->data, (void *)NATIVE_DATA, NATIVE_SIZE);
	memcpy(s->stack, (void *)NATIVE_STACK, NATIVE_SIZE);
	s->regs.flags &= ~RF;
}

static void set_state(struct native_state *s)
{
	struct iovec iov = { s->xstate, s->xsize };
	struct user_regs_struct u;

	memcpy(&u, &s->regs, sizeof(u));
	if (ptrace(PTRACE_SETREGS, child, 0, &u))
		die("PTRACE_SETREGS");
	if (ptrace(PTRACE_SETREGSET, child, NT_X86_XSTATE, &iov))
		die("PTRACE_SETREGSET");
	memcpy((void *)NATIVE_DATA, s->data, NATIVE_SIZE);
	memcpy((void *)NATIVE_STACK, s->stack, NATIVE_SIZE);
}

void native_start(void)
{
	int status;

	map(NATIVE_TEXT, 0x2000);
	map(NATIVE_SLOT, 0x1000);
	map(NATIVE_DATA, NATIVE_SIZE);
	map(NATIVE_STACK, NATIVE_SIZE);
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		_exit(1);
	}
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		die("the child does not stop");
	if (ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL))
		die("PTRACE_SETOPTIONS");
	get_state(&start);
}

void native_stop(void)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	munmap((void *)NATIVE_TEXT, 0x2000);
	munmap((void *)NATIVE_SLOT, 0x1000);
	munmap((void *)NATIVE_DATA, NATIVE_SIZE);
	munmap((void *)NATIVE_STACK, NATIVE_SIZE);
}

static unsigned long next_random(unsigned long *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

void native_random(struct native_state *s, unsigned long seed)
{
	unsigned long x = seed * 0x9e3779b97f4a7c15ul + 1;
	unsigned long *words;

	*s = start;
	for (int i = 0; i < 8; i++)
		next_random(&x);
	for (int i = 0; i < 15; i++)
		((unsigned long *)&s->regs)[i] = NATIVE_DATA + 0x1000 +
						 (next_random(&x) & 0x1ff8);
	s->regs.cx = next_random(&x) & 0x1f;
	s->regs.dx = next_random(&x) & 3;
	s->regs.fs_base = s->regs.gs_base = NATIVE_DATA + 0x2000;
	s->regs.orig_ax = -1;
	s->regs.sp = NATIVE_STACK + 0x2000 + (next_random(&x) & 0x3f8);
	/* carry, parity, adjust, zero, sign, overflow; the direction rarely */
	s->regs.flags = 0x202 | (next_random(&x) & 0x8d5);
	if (!(next_random(&x) & 7))
		s->regs.flags |= 0x400;
	words = (unsigned long *)s->data;
	for (size_t i = 0; i < NATIVE_SIZE / 8; i++)
		words[i] = next_random(&x);
	/* so that ret and jmp through memory land on something mapped */
	words = (unsigned long *)s->stack;
	for (size_t i = 0; i < NATIVE_SIZE / 8; i++)
		words[i] = NATIVE_DATA + (next_random(&x) & 0x3ff8);
}

void native_run(struct native_state *s, unsigned long addr,
		const unsigned char *code, size_t len, enum native_end end)
{
	bool trace = end == NATIVE_STEP;
	int status;

	memcpy((void *)addr, code, len);
	((unsigned char *)addr)[len] = 0xcc;
	s->regs.ip = addr;
	set_state(s);
	if (ptrace(trace ? PTRACE_SINGLESTEP : PTRACE_CONT, child, 0, 0))
		die("resume");
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		die("the child is gone");
	get_state(s);
	s->sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	if (!trace && !s->sig)
		s->regs.ip -= 1;
}

/* Perform an effect the way the model does; false if memory refuses. */
static bool perform(struct native_state *s, const struct arch_effect *e)
{
	unsigned char *to = NULL;

	if (e->access == ARCH_STORE) {
		if (e->addr - NATIVE_STACK <= NATIVE_SIZE - e->size)
			to = s->stack + (e->addr - NATIVE_STACK);
		else if (e->addr - NATIVE_DATA <= NATIVE_SIZE - e->size)
			to = s->data + (e->addr - NATIVE_DATA);
		if (!to)
			return false;
		memcpy(to, &e->val, e->size);
	} else if (e->access != ARCH_NO_ACCESS) {
		return false;
	}
	s->regs = e->regs;
	return true;
}

void native_xol(struct native_state *s, const struct arch_insn *insn,
		enum native_end end)
{
	const struct arch_ops *arch = &arch_x86_64;
	struct arch_effect effect;
	struct arch_step step;

	arch->pre_xol(insn, NATIVE_VADDR, NATIVE_SLOT, &s->regs, &step);
	native_run(s, s->regs.ip, insn->slot, insn->len, end);
	if (s->sig && s->regs.ip == NATIVE_SLOT) {
		arch->abort_xol(insn, NATIVE_VADDR, &s->regs, &step);
		return;
	}
	arch->post_xol(insn, NATIVE_VADDR, NATIVE_SLOT, &s->regs, &step,
		       &effect);
	if (!perform(s, &effect))
		s->sig = -1;
}

void native_emulate(struct native_state *s, const struct arch_insn *insn)
{
	struct arch_effect effect;

	s->sig = 0;
	if (!arch_x86_64.emulate(insn, NATIVE_VADDR, &s->regs, &effect)) {
		s->sig = -1;
		return;
	}
	/* memory refuses: the copy is stepped, for its fault */
	if (!perform(s, &effect))
		native_xol(s, insn, NATIVE_STEP);
}

static const char *first_difference(const unsigned char *a,
				    const unsigned char *b, size_t n,
				    const char *what)
{
	static char buf[160];

	for (size_t i = 0; i < n; i += 8) {
		if (!memcmp(a + i, b + i, 8))
			continue;
		snprintf(buf, sizeof(buf), "%s+%zu: %016lx but original %016lx",
			 what, i, *(unsigned long *)(a + i),
			 *(unsigned long *)(b + i));
		return buf;
	}
	return NULL;
}

const char *native_diff(const struct native_state *a,
			const struct native_state *b)
{
	static char buf[64];
	const char *d;

	if (a->sig != b->sig) {
		snprintf(buf, sizeof(buf), "signal %d but original %d", a->sig,
			 b->sig);
		return buf;
	}
	d = first_difference((void *)&a->regs, (void *)&b->regs,
			     sizeof(struct user_regs_struct), "regs");
	if (!d)
		d = first_difference(a->data, b->data, NATIVE_SIZE, "data");
	if (!d)
		d = first_difference(a->stack, b->stack, NATIVE_SIZE, "stack");
	if (!d)
		d = first_difference(a->xstate, b->xstate, a->xsize, "xstate");
	return d;
}

static const char *prefixed(const char *how, const char *diff)
{
	static char buf[256];

	if (!diff)
		return NULL;
	snprintf(buf, sizeof(buf), "%s: %s", how, diff);
	return buf;
}

const char *native_check(const struct native_state *s,
			 const unsigned char *code, size_t len)
{
	static struct native_state orig, ours;
	enum native_end end = NATIVE_STEP;
	struct arch_insn insn;
	const char *diff = NULL;
	enum arch_verdict v;

	v = arch_x86_64.analyze(code, len, &insn);
	if (v)
		return arch_verdict_text(v);
	/* where a single step differs from running on, running on is right */
	if (insn.flags & ARCH_FALLS_THROUGH && insn.op == 0)
		end = NATIVE_BREAKPOINT;
	orig = *s;
	native_run(&orig, NATIVE_VADDR, code, insn.len, end);

	if (insn.how == ARCH_EMULATE) {
		ours = *s;
		native_emulate(&ours, &insn);
		diff = prefixed("emulated", native_diff(&ours, &orig));
	}
	if (!diff && insn.flags & ARCH_FALLS_THROUGH) {
		ours = *s;
		native_xol(&ours, &insn, NATIVE_BREAKPOINT);
		diff = prefixed("slot+int3", native_diff(&ours, &orig));
	}
	if (!diff && !(insn.flags & ARCH_READS_FLAGS)) {
		ours = *s;
		native_xol(&ours, &insn, NATIVE_STEP);
		/* a string instruction may step back onto itself */
		while (!ours.sig && ours.regs.ip == NATIVE_VADDR &&
		       end == NATIVE_BREAKPOINT)
			native_xol(&ours, &insn, NATIVE_STEP);
		diff = prefixed("slot stepped", native_diff(&ours, &orig));
	}
	return diff;
}

size_t native_hex(const char *hex, unsigned char *out, size_t max)
{
	size_t n = 0;
	unsigned int byte;

	for (; *hex && n < max; hex++) {
		if (*hex == ' ')
			continue;
		sscanf(hex, "%2x", &byte);
		out[n++] = byte;
		hex++;
	}
	return n;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * repair.c - put a process right that a killed trapline has left behind.
 *
 * When a tracer is killed, the kernel lets its tasks go as they are: one that
 * is at a breakpoint's stop dies of SIGTRAP then, and so does whoever runs into
 * a breakpoint before we come. All others can be saved. What is to be done is
 * in the record; each piece is looked at again in memory before it is changed.
 */
#include "repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record.h"
#include "regs.h"
#include "tracee.h"

struct thread {
	pid_t tid;
	int sig; /* it was about to get */
	bool gone;
};

struct repair {
	struct record *record;
	struct live_repaired *out;
	int mem;
	struct thread *thread;
	unsigned int nr;
};

/* ---- stop all ------------------------------------------------------------------ */

static bool knows(const struct repair *r, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < r->nr; i++)
		if (r->thread[i].tid == tid)
			return true;
	return false;
}

/* A breakpoint's or a step's, behind a stop that came first. */
static bool trap_pending(pid_t tid)
{
	struct __ptrace_peeksiginfo_args args = { .nr = 32 };
	siginfo_t queue[32];
	long n = ptrace(PTRACE_PEEKSIGINFO, tid, &args, queue);

	while (n-- > 0)
		if (queue[n].si_signo == SIGTRAP && queue[n].si_code > 0)
			return true;
	return false;
}

static void stop(struct repair *r, pid_t tid)
{
	struct thread *bigger, t = { .tid = tid };
	int status;

	ptrace(PTRACE_INTERRUPT, tid, 0, 0);
	for (;;) {
		t.gone = waitpid(tid, &status, __WALL) != tid ||
			 !WIFSTOPPED(status);
		if (t.gone || !(status >> 16) || !trap_pending(tid))
			break;
		ptrace(PTRACE_CONT, tid, 0, 0);
	}
	if (!t.gone && !(status >> 16))
		t.sig = WSTOPSIG(status);
	bigger = realloc(r->thread, (r->nr + 1) * sizeof(t));
	if (!bigger)
		sim_bug("out of memory for a thread", __FILE__, __LINE__);
	r->thread = bigger;
	r->thread[r->nr++] = t;
}

/* 0 when every thread is stopped and ours. */
static int stop_some(struct repair *r, bool *more)
{
	char name[64];
	struct dirent *d;
	int err = 0;
	pid_t tid;
	DIR *dir;

	*more = false;
	snprintf(name, sizeof(name), "/proc/%d/task", r->record->pid);
	dir = opendir(name);
	if (!dir)
		return -ESRCH;
	while (!err && (d = readdir(dir))) {
		tid = atoi(d->d_name);
		if (!tid || knows(r, tid))
			continue;
		if (!ptrace(PTRACE_SEIZE, tid, 0, 0)) {
			stop(r, tid);
			*more = true;
		} else if (errno != ESRCH) {
			err = -errno;
		}
	}
	closedir(dir);
	return err;
}

static int stop_all(struct repair *r)
{
	bool more = true;
	int err = 0;

	while (more && !err)
		err = stop_some(r, &more);
	return err;
}

static void let_go(struct repair *r)
{
	unsigned int i;

	for (i = 0; i < r->nr; i++)
		if (!r->thread[i].gone)
			ptrace(PTRACE_DETACH, r->thread[i].tid, 0,
			       (void *)(long)r->thread[i].sig);
}

/* ---- memory ---------------------------------------------------------------------- */

static bool put_back(struct repair *r, unsigned long addr, const void *ours,
		     const void *orig, unsigned long n)
{
	unsigned char now[8];

	return pread(r->mem, now, n, addr) == (ssize_t)n &&
	       !memcmp(now, ours, n) &&
	       pwrite(r->mem, orig, n, addr) == (ssize_t)n;
}

static void put_back_text(struct repair *r)
{
	const struct record *rec = r->record;
	unsigned int i;

	for (i = 0; i < rec->nr_patches; i++)
		r->out->breakpoints += put_back(r, rec->patch[i].addr, rec->bp,
						rec->patch[i].orig,
						rec->bp_len);
}

/* Not below 0, as in machine.c. */
static void take_back_counters(struct repair *r)
{
	const struct record *rec = r->record;
	const struct record_counter *c = rec->counter;
	unsigned short now;

	for (; c < rec->counter + rec->nr_counters; c++) {
		if (!c->ours ||
		    pread(r->mem, &now, sizeof(now), c->addr) != sizeof(now))
			continue;
		now -= now < c->ours ? now : c->ours;
		if (pwrite(r->mem, &now, sizeof(now), c->addr) == sizeof(now))
			r->out->counters++;
	}
}

/* Innermost first: several calls may share a word, and the first has all. */
static void put_back_returns(struct repair *r)
{
	const struct record *rec = r->record;
	const struct record_task *t = rec->task;
	unsigned int i;

	for (; t < rec->task + rec->nr_tasks; t++)
		for (i = 0; t->tid && i < t->nr_returns; i++)
			r->out->returns += put_back(r, t->ret[i].slot,
						    &rec->xol, &t->ret[i].orig,
						    sizeof(rec->xol));
}

static void put_back_zeros(struct repair *r)
{
	static const char zeros[4096];

	if (r->record->xol_borrowed)
		(void)!pwrite(r->mem, zeros, r->record->xol_size,
			      r->record->xol);
}

/* ---- threads ---------------------------------------------------------------------- */

static const struct record_task *recorded(const struct record *rec, pid_t tid)
{
	const struct record_task *t;

	for (t = rec->task; t < rec->task + rec->nr_tasks; t++)
		if (t->tid == tid)
			return t;
	return NULL;
}

static bool is_patched(const struct record *rec, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < rec->nr_patches; i++)
		if (rec->patch[i].addr == addr)
			return true;
	return false;
}

/* It has returned into the trampoline: where to, or 0. */
static unsigned long returned_to(const struct record_task *t, unsigned long sp)
{
	unsigned int i;

	for (i = 0; t && i < t->nr_returns; i++)
		if (t->ret[i].slot + sizeof(sp) == sp)
			return t->ret[i].orig;
	return 0;
}

/* The kernel has sent it a SIGTRAP, which is not to be delivered. */
static bool trapped(const struct thread *t, siginfo_t *info)
{
	return t->sig == SIGTRAP &&
	       !ptrace(PTRACE_GETSIGINFO, t->tid, 0, info) && info->si_code > 0;
}

/* Its copied instruction has run: what is left of that is done. */
static bool complete(struct repair *r, const struct record_task *rec,
		     const struct arch_insn *insn, struct pt_regs *regs)
{
	unsigned long vaddr = arch_native->get_ip(&rec->before);
	struct pt_regs before = rec->before;
	struct arch_effect eff;
	struct arch_step step;

	if (!arch_native->pre_xol(insn, vaddr, rec->in_slot, &before, &step))
		return false;
	arch_native->post_xol(insn, vaddr, rec->in_slot, regs, &step, &eff);
	*regs = eff.regs;
	return eff.access == ARCH_NO_ACCESS ||
	       (eff.access == ARCH_STORE &&
		pwrite(r->mem, &eff.val, eff.size, eff.addr) == eff.size);
}

/* Back to where its instruction stands, or behind it. */
static bool leave_slot(struct repair *r, struct thread *t,
		       const struct record_task *rec, struct pt_regs *regs)
{
	unsigned char bytes[ARCH_INSN_MAX];
	struct arch_insn insn;
	siginfo_t info;
	bool trap = trapped(t, &info);
	ssize_t n = pread(r->mem, bytes, sizeof(bytes),
			  arch_native->get_ip(&rec->before));
	unsigned long ip = arch_native->get_ip(regs);

	arch_native->analyze(bytes, n > 0 ? n : 0, &insn);
	if (trap && info.si_code == regs_abi.breakpoint)
		arch_native->set_ip(regs, ip -= arch_native->bp_ip_adjust);
	if (!trap && ip == rec->in_slot)
		*regs = rec->before;
	else if ((!trap && ip != rec->in_slot + insn.len) ||
		 !complete(r, rec, &insn, regs))
		return false;
	regs_steps_as(regs, &rec->before);
	if (trap)
		t->sig = 0;
	r->out->moved++;
	return true;
}

/* In front of a breakpoint or just behind it. */
static bool leave_breakpoint(const struct repair *r, struct thread *t,
			     const struct record_task *rec,
			     struct pt_regs *regs)
{
	const struct record *all = r->record;
	siginfo_t info;
	unsigned long ip = arch_native->get_ip(regs);
	unsigned long at = ip - arch_native->bp_ip_adjust;

	if (trapped(t, &info) && info.si_code == regs_abi.breakpoint &&
	    (at == all->xol || is_patched(all, at))) {
		ip = at;
		t->sig = 0;
	}
	if (ip == all->xol)
		ip = returned_to(rec, arch_native->get_sp(regs));
	arch_native->set_ip(regs, ip);
	return ip;
}

static void put_right(struct repair *r, struct thread *t)
{
	const struct record_task *rec = recorded(r->record, t->tid);
	struct pt_regs regs, has;
	unsigned long mask;
	bool ok;

	if (regs_read(t->tid, &regs))
		return;
	has = regs;
	if (rec && rec->in_slot) {
		ok = leave_slot(r, t, rec, &regs);
		mask = rec->mask;
		ptrace(PTRACE_SETSIGMASK, t->tid, sizeof(mask), &mask);
	} else {
		ok = leave_breakpoint(r, t, rec, &regs);
	}
	if (ok)
		regs_write(t->tid, &regs, &has);
	else
		r->out->lost++;
}

static void put_all_right(struct repair *r)
{
	unsigned int i;

	put_back_text(r);
	put_back_returns(r);
	take_back_counters(r);
	for (i = 0; i < r->nr; i++)
		if (!r->thread[i].gone)
			put_right(r, &r->thread[i]);
	put_back_zeros(r);
	r->out->incomplete = r->record->overflow;
}

static int open_memory(struct repair *r, pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	r->mem = open(name, O_RDWR | O_CLOEXEC);
	return r->mem < 0 ? -errno : 0;
}

int live_repair(pid_t pid, struct live_repaired *out)
{
	struct repair r = { .out = out };
	int err;

	memset(out, 0, sizeof(*out));
	if (kill(pid, 0) && errno == ESRCH)
		return -ESRCH;
	r.record = record_find(pid);
	if (!r.record)
		return errno == ESTALE ? -ENOENT : -errno;
	out->tracer = live_proc_number(pid, "TracerPid:", 10);
	if (out->tracer)
		return -EBUSY;
	err = open_memory(&r, pid);
	if (err)
		return err;
	err = stop_all(&r);
	if (!err)
		put_all_right(&r);
	let_go(&r);
	close(r.mem);
	free(r.thread);
	if (!err)
		record_remove(r.record);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - model/machine.h on real processes.
 *
 * Memory goes through /proc/PID/mem: it writes through page protections, makes
 * a private copy of a file page as the kernel's own probes do, and needs no
 * task of the process to be stopped.
 */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "regs.h"
#include "tracee.h"

static int transfer(struct mm_struct *mm, unsigned long addr, void *to,
		    const void *from, unsigned long n)
{
	struct live_mm *lm = sim_mm_priv(mm);
	ssize_t got;

	do {
		got = from ? pwrite(lm->mem, from, n, addr)
			   : pread(lm->mem, to, n, addr);
	} while (got < 0 && errno == EINTR);
	return got == (ssize_t)n ? 0 : -EFAULT;
}

int machine_read(struct mm_struct *mm, unsigned long addr, void *to,
		 unsigned long n)
{
	return transfer(mm, addr, to, NULL, n);
}

int machine_write(struct mm_struct *mm, unsigned long addr, const void *from,
		  unsigned long n)
{
	return transfer(mm, addr, NULL, from, n);
}

/* ---- text ---------------------------------------------------------------------- */

static struct live_patch *find_patch(const struct live_mm *lm,
				     unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < lm->nr_patch; i++)
		if (lm->patch[i].addr == addr)
			return &lm->patch[i];
	return NULL;
}

static int add_patch(struct live_mm *lm, const struct live_patch *patch)
{
	struct live_patch *bigger;

	bigger = realloc(lm->patch, (lm->nr_patch + 1) * sizeof(*patch));
	if (!bigger)
		return -ENOMEM;
	lm->patch = bigger;
	lm->patch[lm->nr_patch++] = *patch;
	live_keep_patch(lm, patch);
	return 0;
}

static int remember(struct live_mm *lm, unsigned long addr,
		    const struct arch_ops *arch)
{
	struct live_patch patch = { .addr = addr };
	int err;

	if (find_patch(lm, addr))
		return 0;
	err = machine_read(lm->mm, addr, patch.orig, arch->bp_len);
	return err ? err : add_patch(lm, &patch);
}

bool live_patch_is_in(const struct live_mm *mm, unsigned long addr)
{
	const struct arch_ops *arch = sim_mm_arch(mm->mm);
	unsigned char now[sizeof(arch->bp)];

	return find_patch(mm, addr) &&
	       !machine_read(mm->mm, addr, now, arch->bp_len) &&
	       !memcmp(now, arch->bp, arch->bp_len);
}

void live_patch_moved(struct live_mm *mm, const struct live_vma *from,
		      const struct live_vma *to)
{
	unsigned int i, n = mm->nr_patch;
	struct live_patch patch;
	unsigned long off;

	for (i = 0; i < n && from->file == to->file; i++) {
		patch = mm->patch[i];
		off = patch.addr - from->start + from->off;
		if (patch.addr < from->start || patch.addr >= from->end ||
		    off < to->off || off - to->off >= to->end - to->start)
			continue;
		patch.addr = to->start + off - to->off;
		if (!find_patch(mm, patch.addr) && add_patch(mm, &patch))
			sim_bug("out of memory for a breakpoint", __FILE__,
				__LINE__);
	}
}

/* Kept after removal: a child may have been forked with the breakpoint in. */
int machine_write_text(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	int err = 0;

	if (n == arch->bp_len && !memcmp(from, arch->bp, n))
		err = remember(sim_mm_priv(mm), addr, arch);
	return err ? err : machine_write(mm, addr, from, n);
}

void live_patch_hide(const struct live_mm *mm, unsigned long addr, void *bytes,
		     unsigned int n)
{
	const struct live_vma *v = mm->vma, *last = v + mm->nr_vma;
	const struct arch_ops *arch = sim_mm_arch(mm->mm);
	const struct live_patch *p;
	unsigned long at;
	unsigned int i;

	while (v < last && (addr + n <= v->start || addr >= v->end))
		v++;
	if (v == last)
		return;
	for (p = mm->patch; p < mm->patch + mm->nr_patch; p++)
		for (i = 0; i < arch->bp_len; i++) {
			at = p->addr + i - addr;
			if (at < n &&
			    ((unsigned char *)bytes)[at] == arch->bp[i])
				((unsigned char *)bytes)[at] = p->orig[i];
		}
}

void live_patch_forget(struct live_mm *mm, unsigned long start,
		       unsigned long end)
{
	unsigned int i, kept = 0;

	for (i = 0; i < mm->nr_patch; i++)
		if (mm->patch[i].addr < start || mm->patch[i].addr >= end)
			mm->patch[kept++] = mm->patch[i];
	mm->nr_patch = kept;

	for (i = kept = 0; i < mm->nr_counter; i++)
		if (mm->counter[i].addr < start || mm->counter[i].addr >= end)
			mm->counter[kept++] = mm->counter[i];
	mm->nr_counter = kept;
	live_keep_patches(mm);
	live_keep_counters(mm);
}

/* ---- reference counters ------------------------------------------------------------ */

/* The record of the counter at addr, a new one if need be; NULL: no memory. */
static struct live_counter *counter_at(struct live_mm *lm, unsigned long addr)
{
	struct live_counter *bigger;
	unsigned int i;

	for (i = 0; i < lm->nr_counter; i++)
		if (lm->counter[i].addr == addr)
			return &lm->counter[i];
	bigger = realloc(lm->counter, (lm->nr_counter + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	lm->counter = bigger;
	lm->counter[lm->nr_counter] = (struct live_counter){ addr, 0 };
	return &lm->counter[lm->nr_counter++];
}

int machine_write_counter(struct mm_struct *mm, unsigned long addr,
			  unsigned short value)
{
	struct live_counter *c = counter_at(sim_mm_priv(mm), addr);
	unsigned short old;
	int err;

	if (!c)
		return -ENOMEM;
	err = machine_read(mm, addr, &old, sizeof(old));
	if (!err)
		err = machine_write(mm, addr, &value, sizeof(value));
	if (!err)
		c->ours += value - old;
	live_keep_counters(sim_mm_priv(mm));
	return err;
}

/* Not below 0: it may have been copied before we counted. */
static void take_back(int mem, const struct live_counter *c)
{
	unsigned short now;

	if (pread(mem, &now, sizeof(now), c->addr) != sizeof(now))
		return;
	now -= now < c->ours ? now : c->ours;
	(void)!pwrite(mem, &now, sizeof(now), c->addr);
}

/* ---- without the model ------------------------------------------------------------- */

static void put_back(int mem, unsigned long addr, const void *expect,
		     const void *orig, unsigned long n)
{
	unsigned char now[8];

	/* If it is gone, so is what was to be put back. */
	if (pread(mem, now, n, addr) == (ssize_t)n && !memcmp(now, expect, n))
		(void)!pwrite(mem, orig, n, addr);
}

/* `mem` is the memory of mm, or a copy of it. */
static void unpatch(const struct live_mm *mm, int mem)
{
	const struct arch_ops *arch = sim_mm_arch(mm->mm);
	unsigned int i;

	for (i = 0; i < mm->nr_patch; i++)
		put_back(mem, mm->patch[i].addr, arch->bp, mm->patch[i].orig,
			 arch->bp_len);
}

void live_unpatch(struct live_mm *mm)
{
	unpatch(mm, mm->mem);
}

static int open_memory(pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	return open(name, O_RDWR | O_CLOEXEC);
}

/*
 * The memory of a process that has forbidden dumps is root's alone. A copy of
 * one permits them for a moment, before it runs.
 */
static int open_forbidden(struct live_mm *mm, pid_t child)
{
	struct live_task t = { .tid = child, .tgid = child, .mm = mm };
	unsigned long arg[6] = { PR_SET_DUMPABLE, 1 };
	int mem;

	if (tracee_getregs(&t) || live_syscall(&t, SYS_prctl, arg))
		return -1;
	mem = open_memory(child);
	arg[1] = 0;
	live_syscall(&t, SYS_prctl, arg);
	tracee_setregs(&t);
	if (t.nr_held)
		kill(child, SIGSTOP);
	return mem;
}

struct child {
	const struct live_mm *mm;
	int mem;
};

static void put_back_return(void *arg, unsigned long at, unsigned long orig)
{
	struct child *c = arg;

	put_back(c->mem, at, &c->mm->xol, &orig, sizeof(orig));
}

/* A child by fork has its parent's stack, and registers that are not. */
static void put_back_returns(struct live_task *parent, struct child *c,
			     pid_t child)
{
	unsigned long slot, orig;
	struct pt_regs regs, has;
	void *cursor = NULL;

	while (sim_ret_next(parent->task, &cursor, &slot, &orig))
		put_back_return(c, slot, orig);
	live_returns_each(parent, put_back_return, c);
	if (!arch_native->link_register || regs_read(child, &regs))
		return;
	has = regs;
	if (live_return_in_register(parent, &regs))
		regs_write(child, &regs, &has);
}

void live_unpatch_child(struct live_mm *mm, struct live_task *parent,
			pid_t child)
{
	unsigned int i;
	int mem = open_memory(child);

	if (mem < 0 && errno == EACCES)
		mem = open_forbidden(mm, child);
	if (mem < 0)
		return;
	unpatch(mm, mem);
	for (i = 0; i < mm->nr_counter; i++)
		take_back(mem, &mm->counter[i]);
	put_back_returns(parent, &(struct child){ mm, mem }, child);
	close(mem);
}

/* ---- out of line ------------------------------------------------------------------- */

/*
 * Where the kernel has it; or in no one's way: what the program maps later is
 * where it would be without us. Or anywhere.
 */
static long map_page(struct live_task *t, unsigned long size)
{
	const unsigned long places[] = { regs_abi.xol, 1ul << 40, 0 };
	unsigned long arg[6] = { 0, size, PROT_READ | PROT_EXEC, 0, -1ul, 0 };
	long ret = -ENOMEM;
	unsigned int i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		arg[0] = places[i];
		arg[3] = MAP_PRIVATE | MAP_ANONYMOUS |
			 (places[i] ? MAP_FIXED_NOREPLACE : 0);
		ret = live_syscall(t, SYS_mmap, arg);
		if (ret > 0 || ret == -ESRCH || ret == -EPERM)
			break;
	}
	return ret;
}

/* At least the trampoline and one slot. */
#define LEAST(arch) (2 * (arch)->slot_bytes)

static int borrow(struct live_task *t)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);
	struct live_mm *mm = t->mm;
	unsigned long size, at;

	at = live_padding(t->tid, mm->mem, arch->slot_bytes, &size);
	if (!at || size < LEAST(arch))
		return -EPERM;
	mm->xol = at;
	mm->xol_size = size;
	mm->xol_borrowed = true;
	live_keep_xol(mm);
	return 0;
}

int live_xol_map(struct live_task *t)
{
	const unsigned long size = 4096;
	long ret;

	if (t->mm->xol)
		return 0;
	ret = map_page(t, size);
	if (ret == -EPERM)
		return borrow(t);
	if (ret < 0)
		return ret;
	t->mm->xol = ret;
	t->mm->xol_size = size;
	live_keep_xol(t->mm);
	return 0;
}

/* Behind the trampoline, in its slot. */
int live_scratch(struct live_task *t, const void *from, unsigned long n,
		 unsigned long *at)
{
	int err = live_xol_map(t);

	if (err)
		return err;
	*at = t->mm->xol + LIVE_SCRATCH;
	return machine_write(t->mm->mm, *at, from, n);
}

void live_xol_return(struct live_mm *mm)
{
	static const char zeros[4096];

	if (mm->xol_borrowed)
		machine_write(mm->mm, mm->xol, zeros, mm->xol_size);
}

int machine_map_xol(struct mm_struct *mm, unsigned long hint, const void *page,
		    unsigned long *size, unsigned long *addr)
{
	struct live_mm *lm = sim_mm_priv(mm);
	struct live_task *t = live_self();
	int err;

	/* Nobody to run the call, or somebody of another mm. */
	if (!t || t->mm != lm)
		return -EINVAL;
	err = live_xol_map(t);
	if (err == -EPERM)
		live_fail(LIVE_SYSTEM, EPERM,
			  "find a place for copied instructions: the program "
			  "has a seccomp filter, which may kill it for mapping "
			  "one, and no room in its text; run trapline as root");
	if (err)
		return err;
	*addr = lm->xol;
	*size = lm->xol_size;
	return machine_write(mm, *addr, page, *size);
}

/* A child that has memory of its own gets its text back and is let go (child.c). */
int machine_copy_pages(struct mm_struct *mm, struct mm_struct *oldmm,
		       unsigned long start, unsigned long n)
{
	return -EOPNOTSUPP;
}

/* What such a page would call, `uprobe`, is between the kernel and its own. */
int machine_map_trampoline(struct mm_struct *mm, unsigned long vaddr,
			   const void *code, unsigned long n,
			   unsigned long *addr)
{
	return -EOPNOTSUPP;
}

int machine_sync_cores(struct mm_struct *mm)
{
	return -EOPNOTSUPP;
}

/*
 * Not yet written: it may be run elsewhere (jump.c), and often the slot holds
 * that instruction already.
 */
int machine_write_slot(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n)
{
	struct live_slot *want = &live_self()->slot;

	want->addr = addr;
	want->n = n;
	memcpy(want->bytes, from, n);
	return 0;
}

int live_slot_write(struct live_task *t)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);
	const struct live_slot *want = &t->slot;
	struct live_slot *has =
		&t->mm->slot[(want->addr - t->mm->xol) / arch->slot_bytes];
	int err;

	if (has->addr == want->addr && has->n == want->n &&
	    !memcmp(has->bytes, want->bytes, want->n))
		return 0;
	err = machine_write(t->mm->mm, want->addr, want->bytes, want->n);
	*has = *want;
	return err;
}

int machine_fatal_pending(struct task_struct *task)
{
	struct live_task *t = sim_task_priv(task);

	return live.detaching || (t && t->dying);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * jump.c - run a copied instruction without a second stop: behind the copy stands
 * a jump to where the program goes on.
 *
 * Exact for an instruction that always continues behind itself and leaves nothing
 * to be put right. Then a step's outcome is known before: for the model it is
 * over at once, and its slot free. The copy is not in that slot but belongs to
 * the probed place. It is written once and stays as long as the address space,
 * so any number of threads may be in it, for any time.
 *
 * That ip is there must not be seen. Whatever could see it, a signal's handler or
 * the end of the trace, is preceded by a stop, where ip is put right: at the copy
 * the instruction has not run, behind it it has. A signal that comes before it
 * has run is held as in any step, and the copy is stepped by the processor.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "machine.h"
#include "regs.h"
#include "tracee.h"

#define COPY_BYTES (ARCH_INSN_MAX + ARCH_JUMP_MAX)
#define AREA_BYTES (32 * 4096ul)
#define MAX_COPIES (AREA_BYTES / COPY_BYTES)

struct live_jump {
	unsigned long vaddr, at; /* of the instruction and of its copy */
	struct arch_insn insn;
	UT_hash_handle hh; /* by vaddr */
};

struct live_jumps {
	unsigned long start; /* of the area */
	bool failed;	     /* there will be no area */
	struct live_jump *by_vaddr;
	/* In the area's order. A place whose text changed has several. */
	struct live_jump *copy[MAX_COPIES];
	unsigned int nr;
};

/* Out of the way of what the program itself maps, if that is possible. */
static const unsigned long places[] = { (1ul << 40) - AREA_BYTES, 0 };

static bool map_area(struct live_task *t, struct live_jumps *jumps)
{
	unsigned long arg[6] = { 0, AREA_BYTES, PROT_READ | PROT_EXEC,
				 0, -1ul,	0 };
	unsigned int i;
	long ret = 0;

	for (i = 0; i < 2 && ret <= 0 && ret != -ESRCH && ret != -EPERM; i++) {
		arg[0] = places[i];
		arg[3] = MAP_PRIVATE | MAP_ANONYMOUS |
			 (places[i] ? MAP_FIXED_NOREPLACE : 0);
		ret = live_syscall(t, SYS_mmap, arg);
	}
	jumps->failed = ret <= 0;
	if (ret > 0)
		jumps->start = ret;
	return !jumps->failed;
}

static struct live_jumps *jumps_of(struct live_task *t)
{
	struct live_mm *mm = t->mm;

	if (!mm->jumps)
		mm->jumps = calloc(1, sizeof(*mm->jumps));
	if (!mm->jumps || mm->jumps->failed)
		return NULL;
	if (!mm->jumps->start && !map_area(t, mm->jumps))
		return NULL;
	return mm->jumps;
}

static struct live_jump *new_copy(struct live_task *t, unsigned long vaddr,
				  const struct arch_insn *insn)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);
	struct live_jumps *jumps = jumps_of(t);
	unsigned char bytes[COPY_BYTES];
	struct live_jump *j;
	unsigned int len;

	if (!jumps || jumps->nr == MAX_COPIES || !(j = calloc(1, sizeof(*j))))
		return NULL;
	j->vaddr = vaddr;
	j->insn = *insn;
	j->at = jumps->start + jumps->nr * COPY_BYTES;
	memcpy(bytes, insn->slot, insn->len);
	len = insn->len + arch->jump_to(bytes + insn->len, vaddr + insn->len);
	if (machine_write(t->mm->mm, j->at, bytes, len)) {
		free(j);
		return NULL;
	}
	jumps->copy[jumps->nr++] = j;
	return j;
}

/* NULL: there is none, and no room for one. */
static struct live_jump *copy_of(struct live_task *t, unsigned long vaddr,
				 const struct arch_insn *insn)
{
	struct live_jump *old = NULL, *j;

	if (t->mm->jumps)
		HASH_FIND(hh, t->mm->jumps->by_vaddr, &vaddr, sizeof(vaddr),
			  old);
	if (old && old->insn.len == insn->len &&
	    !memcmp(old->insn.slot, insn->slot, insn->len))
		return old;
	j = new_copy(t, vaddr, insn);
	if (!j)
		return NULL;
	/* Other text is mapped there now. Threads may still be in the old. */
	if (old)
		HASH_DEL(t->mm->jumps->by_vaddr, old);
	HASH_ADD(hh, t->mm->jumps->by_vaddr, vaddr, sizeof(j->vaddr), j);
	return j;
}

/* The trap of a program that steps itself is not to be seen in a copy. */
static struct live_jump *usable(struct live_task *t, unsigned long vaddr,
				const struct arch_insn *insn)
{
	if (live_step_way(live.config->step, insn) != LIVE_WAY_JUMP ||
	    regs_steps_itself(&t->regs))
		return NULL;
	return copy_of(t, vaddr, insn);
}

enum live_way live_hit_way(const struct live_hit *hit,
			   const struct arch_insn *insn)
{
	enum live_way way = live_step_way(live.config->step, insn);

	if (way == LIVE_WAY_JUMP && !usable(live_self(), hit->addr, insn))
		return LIVE_WAY_BREAKPOINT;
	return way;
}

bool live_jump_start(struct live_task *t, const struct sim_resume *how)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);
	struct sim_resume rest;
	struct live_jump *j;

	j = usable(t, how->vaddr, how->insn);
	if (!j)
		return false;
	arch->set_ip(&t->regs, arch->get_ip(&t->regs) + how->insn->len);
	sim_user_trap(SIM_TRAP_STEP, 0, &t->regs);
	sim_user_resume(&t->regs, &rest);
	arch->set_ip(&t->regs, j->at);
	live_task_run(t, 0);
	return true;
}

static struct live_jump *jump_at(const struct live_task *t)
{
	const struct live_jumps *jumps = t->mm->jumps;
	unsigned long ip = sim_mm_arch(t->mm->mm)->get_ip(&t->regs), i;

	if (!jumps || ip < jumps->start)
		return NULL;
	i = (ip - jumps->start) / COPY_BYTES;
	return i < jumps->nr ? jumps->copy[i] : NULL;
}

bool live_jump_in(const struct live_task *t)
{
	return jump_at(t);
}

void live_jump_leave(struct live_task *t)
{
	const struct arch_ops *arch = sim_mm_arch(t->mm->mm);
	const struct live_jump *j = jump_at(t);

	if (j)
		arch->set_ip(&t->regs,
			     j->vaddr + (arch->get_ip(&t->regs) - j->at));
}

bool live_jump_hold(struct live_task *t, const siginfo_t *info)
{
	const struct live_jump *j = jump_at(t);

	if (live_is_fault(info) ||
	    sim_mm_arch(t->mm->mm)->get_ip(&t->regs) != j->at)
		return false;
	live_step_instead(t, info, &j->insn, j->at, j->vaddr);
	return true;
}

void live_jump_correct(struct live_task *t, siginfo_t *info)
{
	unsigned long at = (unsigned long)info->si_addr;
	const struct live_jump *j = jump_at(t);

	if (!live_is_fault(info) || at < j->at || at - j->at > j->insn.len)
		return;
	info->si_addr = (void *)(j->vaddr + (at - j->at));
	tracee_setsiginfo(t, info);
}

unsigned long live_jump_area(const struct live_mm *mm, unsigned long *size)
{
	*size = AREA_BYTES;
	return mm->jumps ? mm->jumps->start : 0;
}

void live_jump_free(struct live_mm *mm)
{
	unsigned int i;

	if (!mm->jumps)
		return;
	HASH_CLEAR(hh, mm->jumps->by_vaddr);
	for (i = 0; i < mm->jumps->nr; i++)
		free(mm->jumps->copy[i]);
	free(mm->jumps);
}

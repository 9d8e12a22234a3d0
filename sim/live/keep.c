// SPDX-License-Identifier: GPL-2.0-only
/*
 * keep.c - keep the record of the process that we attached to.
 */
#include <errno.h>
#include <string.h>

#include "record.h"
#include "tracee.h"

static struct record *record;
static struct live_mm *recorded; /* the process's, not a child's copy */

int live_keep_start(pid_t pid, struct live_mm *mm)
{
	const struct arch_ops *arch = sim_mm_arch(mm->mm);
	int err = record_open(pid, &record);

	if (err)
		return err;
	recorded = mm;
	record->bp_len = arch->bp_len;
	memcpy(record->bp, arch->bp, arch->bp_len);
	return 0;
}

void live_keep_exec(struct live_mm *mm)
{
	struct live_task *t, *next;

	if (!record)
		return;
	HASH_ITER(hh, live.tasks, t, next)
		t->record = NULL;
	recorded = mm;
	record->nr_patches = record->nr_counters = record->nr_tasks = 0;
	record->xol = 0;
	record->xol_borrowed = false;
}

void live_keep_end(void)
{
	if (record)
		record_remove(record);
	record = NULL;
	recorded = NULL;
}

void live_keep_xol(const struct live_mm *mm)
{
	if (mm != recorded)
		return;
	record->xol_size = mm->xol_size;
	record->xol_borrowed = mm->xol_borrowed;
	record->xol = mm->xol;
}

void live_keep_patch(const struct live_mm *mm, const struct live_patch *patch)
{
	struct record_patch *p;

	if (mm != recorded)
		return;
	if (record->nr_patches == RECORD_PATCHES) {
		record->overflow = true;
		return;
	}
	p = &record->patch[record->nr_patches];
	p->addr = patch->addr;
	memcpy(p->orig, patch->orig, sizeof(p->orig));
	record->nr_patches++;
}

void live_keep_patches(const struct live_mm *mm)
{
	unsigned int i;

	if (mm != recorded)
		return;
	record->nr_patches = 0;
	for (i = 0; i < mm->nr_patch; i++)
		live_keep_patch(mm, &mm->patch[i]);
}

void live_keep_counters(const struct live_mm *mm)
{
	unsigned int i, n = mm->nr_counter;

	if (mm != recorded)
		return;
	if (n > RECORD_COUNTERS) {
		record->overflow = true;
		n = RECORD_COUNTERS;
	}
	for (i = 0; i < n; i++)
		record->counter[i] = (struct record_counter){
			mm->counter[i].addr, mm->counter[i].ours
		};
	record->nr_counters = n;
}

/* ---- tasks --------------------------------------------------------------------- */

static struct record_task *entry(struct live_task *t)
{
	struct record_task *r = record->task;

	if (t->record)
		return t->record;
	while (r < record->task + record->nr_tasks && r->tid)
		r++;
	if (r == record->task + RECORD_TASKS) {
		record->overflow = true;
		return NULL;
	}
	memset(r, 0, sizeof(*r));
	r->tid = t->tid;
	if (r == record->task + record->nr_tasks)
		record->nr_tasks++;
	return t->record = r;
}

void live_keep_returns(struct live_task *t)
{
	unsigned long slot, orig;
	struct record_task *r;
	unsigned int n = 0;
	void *cursor = NULL;

	if (!recorded || t->mm != recorded || !(r = entry(t)))
		return;
	while (n < RECORD_RETURNS &&
	       sim_ret_next(t->task, &cursor, &slot, &orig))
		r->ret[n++] = (struct record_return){ slot, orig };
	r->nr_returns = n;
}

void live_keep_step(struct live_task *t)
{
	struct record_task *r;

	if (!recorded || t->mm != recorded || !(r = entry(t)))
		return;
	/* In the copy of a jump nothing has been changed but ip. */
	r->before = t->step.jump ? t->regs : t->trapped_regs;
	arch_native->set_ip(&r->before, t->step.vaddr);
	r->mask = t->step.mask;
	r->in_slot = t->step.slot;
}

void live_keep_step_end(struct live_task *t)
{
	if (t->record)
		t->record->in_slot = 0;
}

void live_keep_gone(struct live_task *t)
{
	if (t->record && record)
		t->record->tid = 0;
	t->record = NULL;
}

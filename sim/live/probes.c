// SPDX-License-Identifier: GPL-2.0-only
/*
 * probes.c - the user's probes, as consumers of the model.
 *
 * A return probe listens to entries as well: what was entered and has not
 * returned in the end was missed.
 */
#include <errno.h>
#include <stdlib.h>

#include "machine.h"
#include "tracee.h"

static struct sim_probe **registered;
static struct live_file **probed; /* of each probe */

int live_hit_read(const struct live_hit *hit, unsigned long addr, void *to,
		  unsigned long n)
{
	return machine_read(live_self()->mm->mm, addr, to, n);
}

static void count(struct live_probe *p, const struct live_hit *hit)
{
	p->hits++;
	p->hit(p->arg, hit);
	if (++live.hits == live.config->limit)
		live.limit_reached = true;
}

static void on_entry(void *arg, struct pt_regs *regs)
{
	struct live_task *t = live_self();
	struct live_probe *p = arg;

	/* The limit is exact: hits on the way to the detach do not count. */
	if (live.limit_reached)
		return;
	if (p->ret) {
		p->lost++;
		p->too_deep += sim_ret_full();
	} else {
		count(p, &(struct live_hit){ t->tid, arch_native->get_ip(regs),
					     regs });
	}
}

static void on_return(void *arg, unsigned long func, struct pt_regs *regs)
{
	struct live_task *t = live_self();
	struct live_probe *p = arg;

	if (live.limit_reached)
		return;
	p->lost--;
	count(p, &(struct live_hit){ t->tid, func, regs });
}

void live_probes_left(unsigned long func)
{
	const struct live_mm *mm = live_self()->mm;
	const struct live_vma *v = mm->vma, *end = v + mm->nr_vma;
	const struct live_config *c = live.config;
	unsigned int i;

	while (v < end && (func < v->start || func >= v->end))
		v++;
	if (v == end || live.limit_reached)
		return;
	for (i = 0; i < c->nr_probes; i++)
		if (c->probes[i].ret && probed[i] == v->file &&
		    c->probes[i].offset == func - v->start + v->off)
			c->probes[i].unwound++;
}

void live_probes_add(void)
{
	struct live_file *file;
	struct live_probe *p;
	unsigned int i;
	int err = 0;

	registered = calloc(live.config->nr_probes, sizeof(*registered));
	probed = calloc(live.config->nr_probes, sizeof(*probed));
	if (!registered || !probed) {
		live_fail(LIVE_SYSTEM, ENOMEM, "register probes");
		return;
	}
	for (i = 0; i < live.config->nr_probes; i++) {
		p = &live.config->probes[i];
		file = probed[i] = live_file_get(p->path);
		if (file && p->ref_ctr)
			file->counted = true;
		if (file)
			registered[i] = sim_probe_add(
				file->inode, p->offset, p->ref_ctr, on_entry,
				p->ret ? on_return : NULL, p, &err);
		else
			err = -errno;
		if (registered[i])
			continue;
		live.result->probe = i;
		live_fail(LIVE_PROBE, -err, NULL);
		return;
	}
}

void live_probes_del(void)
{
	struct live_task *t, *next;
	struct live_file *f;
	unsigned int i;

	for (i = 0; registered && i < live.config->nr_probes; i++)
		if (registered[i])
			sim_probe_del(registered[i]);
	for (f = live.files; f; f = f->next) {
		if (f->linker_probe)
			sim_probe_del(f->linker_probe);
		live_unwinder_del(f);
	}
	/* The kernel leaves a breakpoint whose counter will not go down. */
	HASH_ITER(hh, live.tasks, t, next)
		if (t->mm)
			live_unpatch(t->mm);
}

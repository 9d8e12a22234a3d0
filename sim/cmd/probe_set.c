// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_set.c - from all -e of the command line to the probes of live_run.
 */
#include "probe_set.h"

#include <stdlib.h>
#include <string.h>

#include "cmd.h"

/* The model would refuse it, too, but cannot say whom it collides with. */
static int check_counter(const struct probe_set *set, unsigned int nr)
{
	const struct live_probe *p = &set->probe[nr], *q;

	for (q = set->probe; p->ref_ctr && q < set->probe + set->nr; q++) {
		if (q->ref_ctr == p->ref_ctr || q->offset != p->offset ||
		    strcmp(q->path, p->path))
			continue;
		err("%s: another probe at this place has another reference "
		    "counter, or none; give all the same",
		    set->place[nr].name);
		return -1;
	}
	return 0;
}

/* Places do not move any more: probes point to them. */
static int make_probes(struct probe_set *set,
		       void (*hit)(void *arg, const struct live_hit *hit))
{
	unsigned int i;

	set->probe = calloc(set->nr, sizeof(*set->probe));
	if (!set->probe) {
		err("out of memory");
		return -1;
	}
	for (i = 0; i < set->nr; i++)
		set->probe[i] = (struct live_probe){
			.path = set->place[i].path,
			.offset = set->place[i].offset,
			.ref_ctr = set->place[i].spec->ref_ctr,
			.ret = set->place[i].spec->ret,
			.hit = hit,
			.arg = &set->place[i],
		};
	for (i = 0; i < set->nr; i++)
		if (check_counter(set, i))
			return -1;
	return 0;
}

static const char *word(const struct arch_insn *insn, enum live_way way)
{
	if (insn->how == ARCH_EMULATE)
		return "emulated";
	if (insn->flags & ARCH_SYSCALL)
		return "syscall";
	switch (way) {
	case LIVE_WAY_JUMP:
		return "jump";
	case LIVE_WAY_BREAKPOINT:
		return "breakpoint";
	default:
		return "stepped";
	}
}

const char *probe_how(const struct probe_set *set, const struct probe_place *p)
{
	return word(&p->insn, live_step_way(set->step, &p->insn));
}

const char *probe_how_at(const struct probe_place *p,
			 const struct live_hit *hit)
{
	/* At a return it has long been run, and nobody asks. */
	if (p->spec->ret || p->insn.how == ARCH_EMULATE)
		return word(&p->insn, LIVE_WAY_STEP);
	return word(&p->insn, live_hit_way(hit, &p->insn));
}

int probe_set(struct probe_set *set, const char *const *spec, unsigned int n,
	      bool force, void (*hit)(void *arg, const struct live_hit *hit))
{
	struct places places = { 0 };
	unsigned int i;

	for (i = 0; i < n; i++)
		if (resolve(spec[i], force, &places))
			return -1;
	set->place = places.place;
	set->nr = places.nr;
	return make_probes(set, hit);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_set.c - from all -e of the command line to the probes of live_run.
 */
#include "probe_set.h"

#include <stdlib.h>

#include "cmd.h"

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
			.ret = set->place[i].spec->ret,
			.hit = hit,
			.arg = &set->place[i],
		};
	return 0;
}

const char *probe_how(const struct probe_set *set, const struct probe_place *p)
{
	const struct arch_insn *insn = &p->insn;

	if (insn->how == ARCH_EMULATE)
		return "emulated";
	if (insn->flags & ARCH_SYSCALL)
		return "syscall";
	return live_step_to_breakpoint(set->step, insn) ? "breakpoint"
							: "stepped";
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

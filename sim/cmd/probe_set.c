// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_set.c - from all -e of the command line to the probes of live_run.
 */
#include "probe_set.h"

#include <stdlib.h>

#include "cmd.h"

static void tell(const struct probe_place *p)
{
	if (p->chosen_at_runtime)
		err("note: %s is chosen at run time; probing the "
		    "implementation for this processor, at 0x%lx",
		    p->name, p->offset);
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
			.ret = set->place[i].spec->ret,
			.hit = hit,
			.arg = &set->place[i],
		};
	return 0;
}

int probe_set(struct probe_set *set, const char *const *spec, unsigned int n,
	      void (*hit)(void *arg, const struct live_hit *hit))
{
	unsigned int i;

	*set = (struct probe_set){ .place = calloc(n, sizeof(*set->place)) };
	if (!set->place) {
		err("out of memory");
		return -1;
	}
	for (i = 0; i < n; i++) {
		if (resolve(spec[i], &set->place[i]))
			return -1;
		tell(&set->place[i]);
	}
	set->nr = n;
	return make_probes(set, hit);
}

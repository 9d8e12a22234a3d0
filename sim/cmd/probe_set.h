/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_set.h - the probes of one trace: from all -e to places in files.
 */
#ifndef SIM_CMD_PROBE_SET_H
#define SIM_CMD_PROBE_SET_H

#include "live.h"
#include "resolve.h"

/* place[i] is where probe[i] is; both are in the order of the command line. */
struct probe_set {
	enum live_step step; /* how it is run, see probe_how */
	struct probe_place *place;
	struct live_probe *probe;
	unsigned int nr;
};

/* How the probed instruction runs: a word. */
const char *probe_how(const struct probe_set *set, const struct probe_place *p);
/* At this hit: there may be no room for a copy. */
const char *probe_how_at(const struct probe_place *p,
			 const struct live_hit *hit);

/*
 * Find the places of n specifications; force as in resolve.h. hit is each probe's callback; its arg
 * is the probe_place. 0; or -1, and the user has been told.
 */
int probe_set(struct probe_set *set, const char *const *spec, unsigned int n,
	      bool force, void (*hit)(void *arg, const struct live_hit *hit));

#endif /* SIM_CMD_PROBE_SET_H */

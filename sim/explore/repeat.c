// SPDX-License-Identifier: GPL-2.0-only
/*
 * repeat.c - a violation that a search found, as a schedule that repeats it.
 */
#include "repeat.h"

#include "follow.h"
#include "report.h"
#include "schedule.h"
#include "shrink.h"

#include <stdlib.h>

/* Every line is tried at least once, by a run; seconds, not minutes. */
static bool is_cheap(const struct sched *s, const struct explore_result *r)
{
	return s->nr_runs * s->nr_runs * r->nr_steps < 10000000;
}

bool repeat_violation(struct sched *header, const char *path,
		      struct explore_result *r, char **error)
{
	struct explore_result again;

	*error = NULL;
	if (asprintf(&header->expect, "violated %s", report_kind(r->finding)) <
	    0)
		abort();
	if (follow_derive(r, header))
		return false;
	if (is_cheap(header, r))
		shrink(header, r);
	follow_run(header, path, &again, error);
	if (*error || again.finding != r->finding)
		return false;
	again.races = r->races;
	again.nr_races = r->nr_races;
	again.executions = r->executions;
	again.blocked = r->blocked;
	again.events = r->events;
	again.threads = r->threads;
	again.preemptions = r->preemptions;
	again.seconds = r->seconds;
	*r = again;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * repeat.c - a violation that a search found, as a schedule that repeats it.
 */
#include "repeat.h"

#include "follow.h"
#include "report.h"
#include "schedule.h"
#include "shrink.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* About a second; counted, so that it is the same everywhere. */
#define MANY_STEPS 2000000

/* Every line is tried at least once, by a run; seconds, not minutes. */
static bool is_cheap(const struct sched *s, const struct explore_result *r)
{
	return s->nr_runs * s->nr_runs * r->nr_steps < 10000000;
}

/* The lines that repeat *r, which becomes the run that they give. */
static bool make_lines(struct sched *s, const char *path, enum repeat_how how,
		       struct explore_result *r, char **error)
{
	struct explore_result again;

	*error = NULL;
	if (follow_derive(r, s))
		return false;
	if (how == REPEAT_FEWEST && is_cheap(s, r))
		shrink(s, r);
	follow_run(s, path, &again, error);
	if (*error || again.finding != r->finding)
		return false;
	again.races = r->races;
	again.nr_races = r->nr_races;
	again.executions = r->executions;
	again.blocked = r->blocked;
	again.events = r->events;
	again.threads = r->threads;
	again.preemptions = r->preemptions;
	again.fewest = r->fewest;
	again.seconds = r->seconds;
	*r = again;
	return true;
}

/*
 * The same violation with as few preemptions as can be, if that can be told.
 * (Not of an order of locks, which is seen in many executions together.)
 */
static void want_fewest(struct sched *s, const char *path,
			struct explore_result *r)
{
	struct explore_result fewer;
	struct sched lines = { .memory = s->memory, .expect = s->expect };
	char *error;

	r->preemptions = shrink_preemptions(s);
	fewer = *r;
	if (explore_fewer(MANY_STEPS, &fewer)) {
		if (make_lines(&lines, path, REPEAT_FEWEST, &fewer, &error)) {
			sched_move_body(s, &lines);
			*r = fewer;
			return;
		}
		free(error);
		fewer.fewest = FEWEST_UNKNOWN;
	}
	r->fewest = fewer.fewest;
}

bool repeat_violation(struct sched *header, const char *path,
		      enum repeat_how how, struct explore_result *r,
		      char **error)
{
	free(header->expect);
	header->expect = text_print("violated %s", report_kind(r->finding));
	if (!make_lines(header, path, how, r, error))
		return false;
	if (how == REPEAT_FEWEST && r->fewest == FEWEST_UNASKED &&
	    !strcmp(header->memory, "sc") && r->finding != FIND_LOCK_ORDER)
		want_fewest(header, path, r);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * shrink.c - a schedule without what its failure does not need.
 *
 * One change at a time: a line goes, or a thread is not stopped in the middle but
 * runs until it ends or is blocked; two lines of one thread become one that counts.
 * What still fails the same way is kept, and all
 * is tried again until no change is left that does. Every change makes the schedule
 * smaller (fewer lines, then fewer preemptions), so that there is an end.
 */
#include "shrink.h"

#include "follow.h"
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COUNT 64

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool fails(const struct sched *s, const struct explore_result *like)
{
	struct explore_result r;
	char *error;
	bool same;

	follow_run(s, "", &r, &error);
	same = !error && r.verdict == EXPLORE_VIOLATED &&
	       r.finding == like->finding && r.thread == like->thread &&
	       r.line == like->line && same_text(r.file, like->file) &&
	       !strcmp(r.message, like->message);
	free(error);
	free(r.steps);
	return same;
}

/* Does it fail without run line i? Then that is gone. */
static bool drop_run(struct sched *s, size_t i,
		     const struct explore_result *like)
{
	struct sched_run gone = s->run[i];
	size_t behind = s->nr_runs - i - 1;

	memmove(&s->run[i], &s->run[i + 1], behind * sizeof(gone));
	s->nr_runs--;
	if (fails(s, like)) {
		sched_drop_run(&gone);
		return true;
	}
	memmove(&s->run[i + 1], &s->run[i], behind * sizeof(gone));
	s->run[i] = gone;
	s->nr_runs++;
	return false;
}

static bool drop_choice(struct sched *s, size_t i,
			const struct explore_result *like)
{
	struct sched_choice gone = s->choice[i];
	size_t behind = s->nr_choices - i - 1;

	memmove(&s->choice[i], &s->choice[i + 1], behind * sizeof(gone));
	s->nr_choices--;
	if (fails(s, like)) {
		sched_drop_choice(&gone);
		return true;
	}
	memmove(&s->choice[i + 1], &s->choice[i], behind * sizeof(gone));
	s->choice[i] = gone;
	s->nr_choices++;
	return false;
}

/* Does it fail if the thread of line i is not stopped in the middle? */
static bool let_on(struct sched *s, size_t i, const struct explore_result *like)
{
	static const enum sched_point points[] = { SCHED_END, SCHED_BLOCKED };
	struct sched_run *run = &s->run[i], was = *run;

	if (run->point != SCHED_EVENT)
		return false;
	for (int k = 0; k < 2; k++) {
		*run = (struct sched_run){ .thread = was.thread,
					   .point = points[k],
					   .line = was.line };
		if (!fails(s, like))
			continue;
		was.thread = NULL;
		sched_drop_run(&was);
		return true;
	}
	*run = was;
	return false;
}

/* Two lines in a row of one thread: the second alone, if it counts? */
static bool join(struct sched *s, size_t i, const struct explore_result *like)
{
	struct sched_run *next = &s->run[i + 1];

	if (i + 1 >= s->nr_runs || next->point != SCHED_EVENT || next->count ||
	    strcmp(s->run[i].thread, next->thread))
		return false;
	while (next->count++ < MAX_COUNT) {
		if (drop_run(s, i, like))
			return true;
	}
	next->count = 0;
	return false;
}

void shrink(struct sched *s, const struct explore_result *like)
{
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = s->nr_choices; i--;)
			again |= drop_choice(s, i, like);
		for (size_t i = s->nr_runs; i--;)
			again |= drop_run(s, i, like) || let_on(s, i, like) ||
				 join(s, i, like);
	}
}

size_t shrink_preemptions(const struct sched *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nr_runs; i++)
		n += s->run[i].point == SCHED_EVENT;
	return n;
}

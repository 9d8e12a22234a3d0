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

/* Lines of one kind: the elements of an array of the schedule. */
struct lines {
	void *v;
	size_t *nr, size;
};

static struct lines runs(struct sched *s)
{
	return (struct lines){ s->run, &s->nr_runs, sizeof(*s->run) };
}

static struct lines choices(struct sched *s)
{
	return (struct lines){ s->choice, &s->nr_choices, sizeof(*s->choice) };
}

static struct lines reads(struct sched *s)
{
	return (struct lines){ s->read, &s->nr_reads, sizeof(*s->read) };
}

static struct lines orders(struct sched *s)
{
	return (struct lines){ s->order, &s->nr_orders, sizeof(*s->order) };
}

union line {
	struct sched_run run;
	struct sched_choice choice;
	struct sched_read read;
	struct sched_order order;
};

/* Take element i out, or put it back. */
static void take(struct lines l, size_t i, union line *out)
{
	char *at = (char *)l.v + i * l.size;

	memcpy(out, at, l.size);
	memmove(at, at + l.size, (--*l.nr - i) * l.size);
}

static void put_back(struct lines l, size_t i, const union line *line)
{
	char *at = (char *)l.v + i * l.size;

	memmove(at + l.size, at, ((*l.nr)++ - i) * l.size);
	memcpy(at, line, l.size);
}

/* Does it fail without line i? Then *gone is that, out of the schedule. */
static bool drop(struct sched *s, struct lines l, size_t i, union line *gone,
		 const struct explore_result *like)
{
	take(l, i, gone);
	if (fails(s, like))
		return true;
	put_back(l, i, gone);
	return false;
}

static bool drop_run(struct sched *s, size_t i,
		     const struct explore_result *like)
{
	union line gone;

	if (!drop(s, runs(s), i, &gone, like))
		return false;
	sched_drop_run(&gone.run);
	return true;
}

/* Lines that hold wherever they stand. */
static bool drop_others(struct sched *s, const struct explore_result *like)
{
	bool any = false;
	union line gone;

	for (size_t i = s->nr_choices; i--;) {
		if (!drop(s, choices(s), i, &gone, like))
			continue;
		sched_drop_choice(&gone.choice);
		any = true;
	}
	for (size_t i = s->nr_reads; i--;) {
		if (!drop(s, reads(s), i, &gone, like))
			continue;
		sched_drop_read(&gone.read);
		any = true;
	}
	for (size_t i = s->nr_orders; i--;) {
		if (!drop(s, orders(s), i, &gone, like))
			continue;
		sched_drop_order(&gone.order);
		any = true;
	}
	return any;
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
		again = drop_others(s, like);
		for (size_t i = s->nr_runs; i--;)
			again |= drop_run(s, i, like) || let_on(s, i, like) ||
				 join(s, i, like);
	}
}

size_t shrink_lines(const struct sched *s)
{
	return s->nr_runs + s->nr_choices + s->nr_reads + s->nr_orders;
}

size_t shrink_preemptions(const struct sched *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nr_runs; i++)
		n += s->run[i].point == SCHED_EVENT;
	return n;
}

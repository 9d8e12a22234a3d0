// SPDX-License-Identifier: GPL-2.0-only
/*
 * races.c - data races: two accesses to the same bytes, one of them a write, one of
 * them plain, that nothing orders.
 *
 * KCSAN's rule; what orders, sync.c says. A race is noted once per pair of places and
 * the search goes on.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
	enum explore_races how;
	const char *(*name)(uintptr_t addr, unsigned int size);
} races;

void races_begin(const struct explore_options *opt)
{
	races.how = opt->races;
	races.name = opt->name;
}

/* Not marked, and not what readers try again (KCSAN's rule for sequence counters). */
static bool is_plain(int x)
{
	return (engine->g->ev[x].flags & (EVF_PLAIN | EVF_RETRIED)) ==
	       EVF_PLAIN;
}

static bool is_racy(int x)
{
	return engine->g->ev[x].flags & EVF_RACY;
}

/* ---- pairs ---------------------------------------------------------------------------- */

static struct explore_racer racer(int x)
{
	const struct event *e = &engine->g->ev[x];

	return (struct explore_racer){
		.thread = e->thread,
		.index = e->index,
		.write = e->kind == EV_WRITE,
		.plain = e->flags & EVF_PLAIN,
		.pc = engine->t[e->thread].pc[e->index],
	};
}

/* The execution once more, with call stacks; it ends as it did. */
static void add_stacks(size_t from)
{
	struct explore_result *r = &engine->res;
	enum stop_reason stop = engine->stop;

	engine->recording = true;
	runtime_begin_run();
	runtime_settle();
	engine->recording = false;
	engine->stop = stop;
	for (size_t i = from; i < r->nr_races; i++) {
		for (int k = 0; k < 2; k++) {
			struct explore_racer *by = &r->races[i].by[k];
			const struct trail *t =
				&engine->t[by->thread].trails[by->index];

			by->depth = t->depth;
			memcpy(by->stack, t->stack, sizeof(by->stack));
		}
	}
}

bool races_add(const struct explore_race *race)
{
	struct explore_result *r = &engine->res;

	for (size_t i = 0; i < r->nr_races; i++)
		if (r->races[i].by[0].pc == race->by[0].pc &&
		    r->races[i].by[1].pc == race->by[1].pc)
			return false;
	r->races = realloc(r->races, (r->nr_races + 1) * sizeof(*r->races));
	if (!r->races)
		abort();
	r->races[r->nr_races++] = *race;
	return true;
}

static char *copy(const char *s)
{
	char *c = s ? strdup(s) : NULL;

	if (s && !c)
		abort();
	return c;
}

/* Now, while the run is there that they are said of. */
static void name(struct explore_race *race)
{
	if (races.name)
		race->what = copy(races.name(race->addr, race->size));
	for (int i = 0; i < 2; i++)
		race->by[i].name =
			copy(explore_thread_name(race->by[i].thread));
}

static void note(int x, int y)
{
	struct explore_result *r = &engine->res;
	struct explore_race race = { .addr = engine->g->ev[x].addr,
				     .size = engine->g->ev[x].size,
				     .by = { racer(x), racer(y) } };

	/* the earlier place in the code first, whoever came first */
	if (race.by[0].pc > race.by[1].pc) {
		race.by[0] = racer(y);
		race.by[1] = racer(x);
	}
	if (!races_add(&race))
		return;
	name(&r->races[r->nr_races - 1]);
	if (races.how != RACES_FAIL)
		return;
	engine->stop = STOP_VIOLATION;
	r->finding = FIND_RACE;
	r->thread = race.by[1].thread;
	r->bad_addr = race.addr;
	snprintf(r->message, sizeof(r->message),
		 "a plain access races with another thread's");
}

static bool overlap(const struct event *e, const struct event *f)
{
	return e->addr < f->addr + f->size && f->addr < e->addr + e->size;
}

static void look_at(int loc)
{
	const struct graph *g = engine->g;

	for (int x = g->loc_head[loc]; x >= 0; x = g->ev[x].link)
		for (int y = g->ev[x].link; y >= 0; y = g->ev[y].link) {
			const struct event *e = &g->ev[x], *f = &g->ev[y];

			if (e->thread == f->thread ||
			    (e->kind != EV_WRITE && f->kind != EV_WRITE) ||
			    !(is_plain(x) || is_plain(y)) || is_racy(x) ||
			    is_racy(y) || !overlap(e, f) || sync_ordered(x, y))
				continue;
			note(x, y);
		}
}

static bool any_plain(int loc)
{
	for (int x = engine->g->loc_head[loc]; x >= 0;
	     x = engine->g->ev[x].link)
		if (is_plain(x))
			return true;
	return false;
}

void races_look(void)
{
	const struct graph *g = engine->g;
	size_t known = engine->res.nr_races;
	bool ordered = false;

	if (races.how == RACES_OFF)
		return;
	for (int l = 0; l < g->nr_loc; l++) {
		if (!any_plain(l))
			continue;
		if (!ordered && !sync_order())
			return;
		ordered = true;
		look_at(l);
	}
	if (engine->res.nr_races > known)
		add_stacks(known);
}

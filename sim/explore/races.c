// SPDX-License-Identifier: GPL-2.0-only
/*
 * races.c - data races: two accesses to the same bytes, one of them a write, one of
 * them plain, that nothing orders.
 *
 * KCSAN's rule. What orders is program order, creating and joining threads, and
 * reading and overwriting through marked accesses; that a plain access happened to
 * read a plain write orders nothing. Under TSO only reading from another thread
 * does. A race is noted once per pair of places and the search goes on.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
	enum explore_races how;
	const char *(*name)(uintptr_t addr, unsigned int size);
	uint64_t *rows; /* what is ordered before each event */
	int cap;
} races;

void races_begin(const struct explore_options *opt)
{
	races.how = opt->races;
	races.name = opt->name;
}

static uint64_t *row(int x)
{
	return races.rows + (size_t)x * engine->g->words;
}

static bool is_plain(int x)
{
	return engine->g->ev[x].flags & EVF_PLAIN;
}

/* ---- the order ------------------------------------------------------------------ */

/* Add x and what is before it to b; false if x is not known yet. */
static bool after(uint64_t *b, int x, const uint64_t *done)
{
	if (x < 0)
		return true;
	if (!bit_test(done, x))
		return false;
	bits_or(b, row(x), engine->g->words);
	bit_set(b, x);
	return true;
}

static int end_of(const struct graph *g, int t)
{
	return g->last[t] >= 0 ? g->last[t] : g->creator[t];
}

static bool after_threads(uint64_t *b, const struct event *e,
			  const uint64_t *done)
{
	const struct graph *g = engine->g;

	if (e->kind == EV_JOIN)
		return after(b, end_of(g, e->peer), done);
	for (int t = 0; e->kind == EV_JOIN_ALL && t < NR_THREADS; t++)
		if (t != e->thread && !after(b, end_of(g, t), done))
			return false;
	return true;
}

/* Place of an access in the order of its location: a read is where its source is. */
static int place(const struct event *e)
{
	return e->kind == EV_WRITE ? e->rank : graph_rank(engine->g, e->rf);
}

static bool after_marked(uint64_t *b, int x, const uint64_t *done)
{
	const struct graph *g = engine->g;
	const struct event *e = &g->ev[x];

	if (e->loc < 0 || is_plain(x) || e->rf == RF_WAITING)
		return true;
	if (engine->model != GRAPH_SC)
		return e->kind != EV_READ || e->rf < 0 || is_plain(e->rf) ||
		       after(b, e->rf, done);
	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];
		bool earlier = f->kind == EV_WRITE && e->kind == EV_READ
				       ? place(f) <= place(e)
				       : place(f) < place(e);

		if (y == x || is_plain(y) || f->rf == RF_WAITING ||
		    (f->kind == EV_READ && e->kind == EV_READ) || !earlier)
			continue;
		if (!after(b, y, done))
			return false;
	}
	return true;
}

static bool order(void)
{
	const struct graph *g = engine->g;
	uint64_t todo[GRAPH_MAX_EVENTS / 64], done[GRAPH_MAX_EVENTS / 64];
	bool left = true, progress = true;
	int x;

	memcpy(todo, g->live, g->words * sizeof(uint64_t));
	memset(done, 0, g->words * sizeof(uint64_t));
	while (left && progress) {
		left = progress = false;
		for_each_bit(x, todo, g->words) {
			const struct event *e = &g->ev[x];
			uint64_t *b = row(x);

			memset(b, 0, g->words * sizeof(uint64_t));
			if (!after(b,
				   e->prev >= 0 ? e->prev
						: g->creator[e->thread],
				   done) ||
			    !after_threads(b, e, done) ||
			    !after_marked(b, x, done)) {
				left = true;
				continue;
			}
			bit_set(done, x);
			bit_clear(todo, x);
			progress = true;
		}
	}
	return !left;
}

/* ---- pairs ---------------------------------------------------------------------------- */

static struct explore_racer racer(int x)
{
	const struct event *e = &engine->g->ev[x];

	return (struct explore_racer){
		.thread = e->thread,
		.write = e->kind == EV_WRITE,
		.plain = is_plain(x),
		.pc = engine->t[e->thread].pc[e->index],
	};
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
	for (size_t i = 0; i < r->nr_races; i++)
		if (r->races[i].by[0].pc == race.by[0].pc &&
		    r->races[i].by[1].pc == race.by[1].pc)
			return;
	if (races.name)
		race.what = races.name(race.addr, race.size);
	r->races = realloc(r->races, (r->nr_races + 1) * sizeof(*r->races));
	if (!r->races)
		abort();
	r->races[r->nr_races++] = race;
	if (races.how != RACES_FAIL)
		return;
	engine->stop = STOP_VIOLATION;
	engine->bad_free = engine->bad_use = -1;
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
			    !(is_plain(x) || is_plain(y)) || !overlap(e, f) ||
			    bit_test(row(x), y) || bit_test(row(y), x))
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
	bool ordered = false;

	if (races.how == RACES_OFF)
		return;
	for (int l = 0; l < g->nr_loc; l++) {
		if (!any_plain(l))
			continue;
		if (!ordered && races.cap < g->cap) {
			free(races.rows);
			races.cap = g->cap;
			races.rows = malloc((size_t)g->cap * g->words *
					    sizeof(uint64_t));
			if (!races.rows)
				abort();
		}
		if (!ordered && !order())
			return;
		ordered = true;
		look_at(l);
	}
}

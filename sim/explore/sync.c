// SPDX-License-Identifier: GPL-2.0-only
/*
 * sync.c - which accesses of an execution the program itself orders.
 *
 * What orders is program order, creating and joining threads, and reading and
 * overwriting through marked accesses; that a plain access happened to read a plain
 * write orders nothing, and nor does a marked one that was done in pieces. Under TSO
 * only reading from another thread does. The kernel's model has its own rule (plain.c).
 */
#include "engine.h"

#include <stdlib.h>

static struct {
	uint64_t *rows; /* what is ordered before each event */
	int cap;
} sync;

static uint64_t *row(int x)
{
	return sync.rows + (size_t)x * engine->g->words;
}

static void make_room(void)
{
	const struct graph *g = engine->g;

	if (sync.cap >= g->cap)
		return;
	free(sync.rows);
	sync.cap = g->cap;
	sync.rows = malloc((size_t)g->cap * g->words * sizeof(uint64_t));
	if (!sync.rows)
		abort();
}

static bool is_loose(int x)
{
	return engine->g->ev[x].flags & (EVF_PLAIN | EVF_SPLIT);
}

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
	for (int t = 0; e->kind == EV_JOIN_ALL && t < engine_threads(); t++)
		if (t != e->thread && !after(b, end_of(g, t), done))
			return false;
	return true;
}

/* Place of an access in the order of its location: a read is where its source is. */
static int place(const struct event *e)
{
	return e->kind == EV_WRITE ? e->rank : graph_rank(engine->g, e->rf);
}

/* Does what f does come before what e does there? */
static bool is_earlier(const struct event *f, const struct event *e)
{
	return f->kind == EV_WRITE && e->kind == EV_READ ? place(f) <= place(e)
							 : place(f) < place(e);
}

/* A wait may read later than it must: nothing that overwrites its source is after it. */
static bool overtakes(const struct event *e, const struct event *f)
{
	return f->kind == EV_READ &&
	       (e->kind == EV_READ || f->op == OP_RCU_WAIT);
}

static bool after_marked(uint64_t *b, int x, const uint64_t *done)
{
	const struct graph *g = engine->g;
	const struct event *e = &g->ev[x];

	if (e->loc < 0 || is_loose(x) || e->rf == RF_WAITING)
		return true;
	if (engine->model != GRAPH_SC)
		return e->kind != EV_READ || e->rf < 0 || is_loose(e->rf) ||
		       after(b, e->rf, done);
	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];

		if (y == x || is_loose(y) || f->rf == RF_WAITING ||
		    overtakes(e, f) || !is_earlier(f, e))
			continue;
		if (!after(b, y, done))
			return false;
	}
	return true;
}

bool sync_order(void)
{
	const struct graph *g = engine->g;
	uint64_t todo[GRAPH_MAX_EVENTS / 64], done[GRAPH_MAX_EVENTS / 64];
	bool left = true, progress = true;
	int x;

	if (engine->model == GRAPH_LKMM) {
		plain_order(engine->g);
		return true;
	}
	make_room();
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

/* A read that sees a later write may have come before the earlier one all the same. */
static bool in_order(int x, int y)
{
	return plain_before(x, y) ||
	       (engine->g->ev[y].kind == EV_READ && plain_before(y, x));
}

bool sync_ordered(int x, int y)
{
	const struct graph *g = engine->g;
	const struct event *e = &g->ev[x], *f = &g->ev[y];

	if (engine->model != GRAPH_LKMM)
		return bit_test(row(x), y) || bit_test(row(y), x);
	return graph_cpu(g, e->thread) == graph_cpu(g, f->thread) ||
	       (is_earlier(e, f) ? in_order(x, y) : in_order(y, x));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * mixed.c - accesses of different sizes to the same bytes.
 *
 * An access to several pieces of memory is one operation to each. That says it right
 * if it is plain, or if nobody else comes in between: if everything that conflicts
 * with it is ordered with it by other means. So every run is looked at. A marked
 * access in pieces that conflicts with something unordered must be one operation:
 * its pieces are merged and the search begins again.
 *
 * Then a smaller access is a part of a larger location, and all that happens to the
 * location has one order. That is so under SC. Under TSO it fails for a thread that
 * reads what its store buffer holds in part only; the kernel's model says nothing of
 * mixed sizes at all. There, what is unordered is refused.
 */
#include "engine.h"

#include "names.h"

#include <stdio.h>

static bool conflict(const struct event *e, const struct event *f)
{
	return e->thread != f->thread &&
	       (e->kind == EV_WRITE || f->kind == EV_WRITE);
}

static bool same_bytes(const struct event *e, const struct event *f)
{
	return e->off == f->off && e->size == f->size;
}

static bool refuse(const struct event *e, const struct event *f)
{
	struct explore_result *r = &engine->res;
	int line[2];
	const char *file[2];
	const struct event *by[2] = { e, f };

	for (int i = 0; i < 2; i++)
		file[i] = names_place(engine->t[by[i]->thread].pc[by[i]->index],
				      &line[i]);
	engine->stop = STOP_VIOLATION;
	r->finding = FIND_UNSUPPORTED;
	r->thread = e->thread;
	r->file = NULL;
	snprintf(
		r->message, sizeof(r->message),
		"marked accesses of different sizes overlap at %s, and nothing "
		"orders them: %s:%d and %s:%d",
		names_address(e->addr, e->size),
		file[0] ? names_path(file[0]) : "?", file[0] ? line[0] : 0,
		file[1] ? names_path(file[1]) : "?", file[1] ? line[1] : 0);
	return true;
}

/* ---- accesses in pieces ------------------------------------------------------------ */

/* The bytes of the access that event x is a piece of: [*low, *high). */
static void extent(int x, uintptr_t *low, uintptr_t *high)
{
	const struct thread *t = &engine->t[engine->g->ev[x].thread];
	int i = engine->g->ev[x].index, k;

	*low = engine->g->ev[x].addr;
	*high = *low + engine->g->ev[x].size;
	for (k = i - 1; k >= 0 && t->pc[k] == t->pc[i]; k--) {
		const struct event *e = &engine->g->ev[t->rec[k]];

		if (e->addr + e->size != *low)
			break;
		*low = e->addr;
	}
	for (k = i + 1; k < t->nr_rec && t->pc[k] == t->pc[i]; k++) {
		const struct event *e = &engine->g->ev[t->rec[k]];

		if (e->addr != *high)
			break;
		*high += e->size;
	}
}

static bool look_at_split(int x, int y)
{
	const struct event *e = &engine->g->ev[x];
	uintptr_t low, high;

	extent(x, &low, &high);
	if (engine->model == GRAPH_LKMM || low / 8 != (high - 1) / 8)
		return refuse(e, &engine->g->ev[y]);
	engine->stop = STOP_NONE;
	memory_merge(low, high - low);
	return true;
}

/* ---- parts of a location ------------------------------------------------------------- */

/* Does its thread write a part of what event r reads before it? */
static bool reads_around_own_store(int r)
{
	const struct graph *g = engine->g;
	const struct event *e = &g->ev[r];

	for (int w = g->loc_head[e->loc]; w >= 0; w = g->ev[w].link) {
		const struct event *f = &g->ev[w];

		if (f->kind == EV_WRITE && f->thread == e->thread &&
		    f->index < e->index &&
		    (e->off < f->off || e->off + e->size > f->off + f->size))
			return true;
	}
	return false;
}

static bool look_at_parts(int x, int y)
{
	const struct graph *g = engine->g;

	if (engine->model == GRAPH_SC)
		return false;
	if (engine->model == GRAPH_LKMM)
		return !same_bytes(&g->ev[x], &g->ev[y]) &&
		       refuse(&g->ev[x], &g->ev[y]);
	return g->ev[x].kind == EV_READ && g->ev[y].kind == EV_WRITE &&
	       reads_around_own_store(x) && refuse(&g->ev[x], &g->ev[y]);
}

/* ---- all pairs ------------------------------------------------------------------------- */

static bool look_at(int x, int y)
{
	const struct event *e = &engine->g->ev[x], *f = &engine->g->ev[y];

	if (!conflict(e, f) || sync_ordered(x, y))
		return false;
	if (e->flags & EVF_SPLIT)
		return look_at_split(x, y);
	return look_at_parts(x, y);
}

static bool look_at_location(int loc)
{
	const struct graph *g = engine->g;

	for (int x = g->loc_head[loc]; x >= 0; x = g->ev[x].link)
		for (int y = g->loc_head[loc]; y >= 0; y = g->ev[y].link)
			if (look_at(x, y))
				return true;
	return false;
}

bool mixed_look(void)
{
	if (!engine->mixed || !sync_order())
		return false;
	for (int l = 0; l < engine->g->nr_loc; l++)
		if (look_at_location(l))
			return true;
	return false;
}

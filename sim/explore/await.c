// SPDX-License-Identifier: GPL-2.0-only
/*
 * await.c - reads that wait for a value: who waits, and who is served.
 *
 * An await without a source waits; the latest write of its word serves it as soon
 * as it satisfies it. Search.c tells when that is right, and what is done else.
 */
#include "search.h"

#include <stdio.h>

/* w, which passes over r, was not added, or served, in the canonical way. */
static bool pin(struct event *w, const struct event *r)
{
	if (w->nr_pins == MAX_PINS) {
		engine->stop = STOP_VIOLATION;
		engine->res.finding = FIND_UNSUPPORTED;
		snprintf(engine->res.message, sizeof(engine->res.message),
			 "one write makes more than %d threads wait again",
			 MAX_PINS);
		return false;
	}
	w->pins[w->nr_pins++] = (struct pin){ r->thread, r->index };
	return true;
}

/* Await r waits from now on, passed over by write a. False: that is refused. */
static bool make_wait(struct graph *g, int r, int a)
{
	if (!pin(&g->ev[a], &g->ev[r]))
		return false;
	graph_unset_rf(g, r);
	return true;
}

bool await_revisited(struct graph *g, int r, int a, bool latest)
{
	const struct event *e = &g->ev[r];

	if (!latest)
		return condition_holds(e, grow_value(g, e, a));
	return await_is_slow(e) || make_wait(g, r, a);
}

bool await_passed_over(int slot)
{
	struct graph *g = engine->g;
	const struct event *e = &g->ev[slot];
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(g, e->loc, list);

	if (await_is_slow(e))
		return true;
	return e->rf >= 0 && g->ev[e->rf].rank == n &&
	       make_wait(g, slot, e->rf);
}

/* ---- which words -------------------------------------------------------------------- */

bool await_is_slow(const struct event *e)
{
	return engine->loc[e->loc].unchained;
}

void await_note_wait(int loc)
{
	struct location *l = &engine->loc[loc];

	if (!l->awaited && l->unchained && engine->mode == RUN_SEARCH)
		engine->stop = STOP_RESTART;
	l->awaited = true;
}

/*
 * Under SC and TSO what leads to a write is before it. Under LKMM it need not be:
 * there only what the thread itself has seen of the word is.
 */
static bool must_be_latest(const struct graph *g, int a, int latest)
{
	if (latest < 0)
		return true;
	if (engine->model == GRAPH_LKMM)
		return graph_floor(g, a) == g->ev[latest].rank;
	return bit_test(graph_porf(g, a), latest);
}

void await_note_write(const struct graph *g, int a, int latest)
{
	struct location *l = &engine->loc[g->ev[a].loc];

	if (l->unchained || must_be_latest(g, a, latest))
		return;
	l->unchained = true;
	if (l->awaited)
		engine->stop = STOP_RESTART;
}

/* ---- who is served ------------------------------------------------------------------ */

bool await_satisfied_by_latest(const struct event *e)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(engine->g, e->loc, list);

	return condition_holds(e, grow_value(engine->g, e, list[n]));
}

/* Next thread after `after` whose waiting await the latest write satisfies. */
static int next_served(int after, bool rmw, int loc)
{
	for (int i = after + 1; i < engine_threads(); i++) {
		const struct thread *t = &engine->t[i];
		const struct event *e;

		if (t->state != THREAD_BLOCKED || t->await < 0)
			continue;
		e = &engine->g->ev[t->await];
		if (e->rf == RF_WAITING && (e->rmw != RMW_NONE) == rmw &&
		    (loc < 0 || e->loc == loc) && await_satisfied_by_latest(e))
			return i;
	}
	return -1;
}

static void set_served(struct graph *g, int slot)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	struct event *e = &g->ev[slot];
	int n = graph_co(g, e->loc, list);

	e->val = grow_value(g, e, list[n]);
	e->served = ++g->stamp;
	graph_set_rf(g, engine->model, slot, list[n], -1);
}

/* The write is taken: what another one would make of it may go to the one who did. */
static void offer_others(int n, int loc)
{
	for (int i = n; (i = next_served(i, true, loc)) >= 0;) {
		struct graph *c = frontier_top();
		int slot = engine->t[i].await;

		graph_copy(c, engine->g);
		set_served(c, slot);
		grow_doomed(c, slot);
	}
}

/* Awaits that only read are served before RMWs, of which one gets the write. */
bool await_serve(void)
{
	int n = next_served(-1, false, -1), slot;
	bool rmw = n < 0;

	if (rmw)
		n = next_served(-1, true, -1);
	if (n < 0)
		return false;
	slot = engine->t[n].await;
	set_served(engine->g, slot);
	if (rmw)
		offer_others(n, engine->g->ev[slot].loc);
	engine->t[n].await = -1;
	runtime_answer(n, engine->g->ev[slot].val);
	runtime_check_free(slot);
	return true;
}

bool await_is_stale(int n)
{
	const struct event *e;
	int16_t list[GRAPH_MAX_EVENTS + 1];

	if (engine->t[n].await < 0)
		return false;
	e = &engine->g->ev[engine->t[n].await];
	return e->rf != RF_WAITING && graph_rank(engine->g, e->rf) !=
					      graph_co(engine->g, e->loc, list);
}

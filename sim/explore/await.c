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

bool await_make_wait(struct graph *g, int r, int a)
{
	if (!pin(&g->ev[a], &g->ev[r]))
		return false;
	graph_unset_rf(g, r);
	return true;
}

bool await_passed_over(int slot)
{
	struct graph *g = engine->g;
	const struct event *e = &g->ev[slot];
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(g, e->loc, list);

	if (engine->slow_awaits)
		return true;
	return e->rf >= 0 && g->ev[e->rf].rank == n &&
	       await_make_wait(g, slot, e->rf);
}

void await_note_chain(const struct graph *g, int a, int latest)
{
	struct location *l = &engine->loc[g->ev[a].loc];

	if (latest >= 0 && !bit_test(graph_porf(g, a), latest))
		l->unchained = true;
	if (!l->awaited || !l->unchained || engine->slow_awaits)
		return;
	engine->slow_awaits = true;
	engine->stop = STOP_RESTART;
}

bool await_satisfied_by_latest(const struct event *e)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(engine->g, e->loc, list);

	return condition_holds(e, grow_value(engine->g, e, list[n]));
}

/* Next thread after `after` whose waiting await the latest write satisfies. */
static int next_served(int after, int loc)
{
	for (int i = after + 1; i < engine_threads(); i++) {
		const struct thread *t = &engine->t[i];
		const struct event *e;

		if (t->state != THREAD_BLOCKED || t->await < 0)
			continue;
		e = &engine->g->ev[t->await];
		if (e->rf != RF_WAITING)
			continue;
		if ((loc < 0 || e->loc == loc) && await_satisfied_by_latest(e))
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

/* Waits for a write like this one, to take it. */
static bool wants(const struct graph *g, int x, int a)
{
	const struct event *e = &g->ev[x];

	return e->kind == EV_READ && e->rf == RF_WAITING &&
	       e->rmw != RMW_NONE && condition_holds(e, grow_value(g, e, a));
}

void await_serve_another(const struct graph *g, int r, int a)
{
	for (int x = g->loc_head[g->ev[r].loc]; x >= 0; x = g->ev[x].link) {
		struct graph *c;

		if (!wants(g, x, a))
			continue;
		c = frontier_top();
		graph_copy(c, g);
		if (!await_make_wait(c, r, a) || !pin(&c->ev[x], &c->ev[r]))
			return;
		set_served(c, x);
		frontier_keep();
	}
}

/* Awaits that only read are served before RMWs, of which one gets the write. */
bool await_serve(void)
{
	int n = next_served(-1, -1), loc, i;
	struct event *e;

	if (n < 0)
		return false;
	loc = engine->g->ev[engine->t[n].await].loc;
	for (i = n; i >= 0; i = next_served(i, loc))
		if (engine->g->ev[engine->t[i].await].rmw == RMW_NONE)
			break;
	if (i >= 0)
		n = i;
	else
		for (i = next_served(n, loc); i >= 0; i = next_served(i, loc)) {
			struct graph *c = frontier_top();

			graph_copy(c, engine->g);
			set_served(c, engine->t[i].await);
			frontier_keep();
		}
	e = &engine->g->ev[engine->t[n].await];
	set_served(engine->g, engine->t[n].await);
	engine->t[n].await = -1;
	runtime_answer(n, e->val);
	runtime_check_free(e - engine->g->ev);
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

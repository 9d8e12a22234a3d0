// SPDX-License-Identifier: GPL-2.0-only
/*
 * cycle.c - can an order of a memory model have a cycle through an event at all?
 *
 * Whatever a memory model puts in order, it does so along program order, creation
 * and joining, reads-from, coherence order, and from a read to what overwrites its
 * source. Most new events close no cycle of these, and need no closer look.
 */
#include "engine.h"

static struct {
	uint64_t seen[GRAPH_MAX_EVENTS / 64];
	int16_t todo[GRAPH_MAX_EVENTS];
	int nr;
	int16_t next[GRAPH_MAX_EVENTS]; /* in the same thread, or -1 */
	int16_t first[NR_THREADS];
	int16_t joins[GRAPH_MAX_EVENTS];
	int nr_joins;
} walk;

static void prepare(const struct graph *g)
{
	int x;

	memset(walk.next, -1, g->hi * sizeof(*walk.next));
	memset(walk.first, -1, sizeof(walk.first));
	walk.nr_joins = 0;
	for_each_bit(x, g->live, g->words) {
		const struct event *e = &g->ev[x];

		if (e->prev >= 0)
			walk.next[e->prev] = x;
		else
			walk.first[e->thread] = x;
		if (e->kind == EV_JOIN || e->kind == EV_JOIN_ALL)
			walk.joins[walk.nr_joins++] = x;
	}
}

static void visit(int x)
{
	if (x < 0 || bit_test(walk.seen, x))
		return;
	bit_set(walk.seen, x);
	walk.todo[walk.nr++] = x;
}

/* Those who wait for the end of a thread that x is. */
static void visit_joins(const struct graph *g, int x)
{
	for (int i = 0; i < walk.nr_joins; i++) {
		const struct event *j = &g->ev[walk.joins[i]];

		for (int t = 0; t < g->nr_threads; t++)
			if (graph_thread_end(g, t) == x && t != j->thread &&
			    (j->kind == EV_JOIN_ALL || j->peer == t))
				visit(walk.joins[i]);
	}
}

static void visit_location(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];
	int rank = e->kind == EV_WRITE ? e->rank : graph_rank(g, e->rf);

	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];

		if (f->kind == EV_WRITE ? f->rank == rank + 1
					: e->kind == EV_WRITE && f->rf == x)
			visit(y);
	}
}

bool graph_leads_back(const struct graph *g, int a)
{
	prepare(g);
	memset(walk.seen, 0, g->words * sizeof(uint64_t));
	walk.nr = 0;
	for (int x = a;; x = walk.todo[--walk.nr]) {
		const struct event *e = &g->ev[x];

		visit(walk.next[x]);
		if (e->kind == EV_CREATE)
			visit(walk.first[e->peer]);
		if (walk.next[x] < 0 || e->kind == EV_CREATE)
			visit_joins(g, x);
		if (e->loc >= 0 && e->rf != RF_WAITING)
			visit_location(g, x);
		if (bit_test(walk.seen, a))
			return true;
		if (!walk.nr)
			return false;
	}
}

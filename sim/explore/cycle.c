// SPDX-License-Identifier: GPL-2.0-only
/*
 * cycle.c - which events of a graph a cycle can go through at all.
 *
 * Whatever a memory model puts in order, it does so along program order, creation
 * and joining, reads-from, coherence order, and from a read to what overwrites its
 * source. A graph in which these have no cycle is sequentially consistent; else a
 * model need look only at the events that lead both from and to a cycle.
 */
#include "engine.h"

#include <stdlib.h>

#define MAX_EDGES (6 * GRAPH_MAX_EVENTS) /* at most 4 an event, and joins */

enum side { FROM, TO };

static struct {
	int nr;
	int16_t end[2][MAX_EDGES]; /* of each edge */
	int16_t next[2][MAX_EDGES];
	int16_t head[2][GRAPH_MAX_EVENTS]; /* edges that have it as this end */
	int16_t nr_before[2][GRAPH_MAX_EVENTS]; /* or behind: seen from TO */
} edges;

static void edge(int from, int to)
{
	int ends[2] = { from, to };

	if (from < 0 || to < 0)
		return;
	if (edges.nr == MAX_EDGES)
		abort();
	for (int side = FROM; side <= TO; side++) {
		int x = ends[side];

		edges.end[side][edges.nr] = x;
		edges.next[side][edges.nr] = edges.head[side][x];
		edges.head[side][x] = edges.nr;
		edges.nr_before[!side][x]++;
	}
	edges.nr++;
}

static void edges_of_thread(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];

	edge(e->prev >= 0 ? e->prev : g->creator[e->thread], x);
	if (e->kind == EV_JOIN)
		edge(graph_thread_end(g, e->peer), x);
	if (e->kind == EV_JOIN_ALL)
		for (int t = 0; t < engine_threads(); t++)
			if (t != e->thread)
				edge(graph_thread_end(g, t), x);
}

static void edges_of_location(const struct graph *g, int loc)
{
	int16_t list[GRAPH_MAX_EVENTS + 2];
	int n = graph_co(g, loc, list);

	list[n + 1] = -1;
	for (int k = 1; k < n; k++)
		edge(list[k], list[k + 1]);
	for (int x = g->loc_head[loc]; x >= 0; x = g->ev[x].link) {
		const struct event *e = &g->ev[x];

		if (e->kind != EV_READ || e->rf == RF_WAITING)
			continue;
		edge(e->rf, x);
		edge(x, list[graph_rank(g, e->rf) + 1]);
	}
}

/* Take out of `left`, again and again, what no edge leads to (TO: from). */
static void peel(const struct graph *g, uint64_t *left, enum side side)
{
	int16_t todo[GRAPH_MAX_EVENTS];
	int nr = 0, x;

	for_each_bit(x, left, g->words)
		if (!edges.nr_before[side][x])
			todo[nr++] = x;
	while (nr) {
		x = todo[--nr];
		bit_clear(left, x);
		for (int i = edges.head[side][x]; i >= 0;
		     i = edges.next[side][i]) {
			int y = edges.end[!side][i];

			if (bit_test(left, y) && !--edges.nr_before[side][y])
				todo[nr++] = y;
		}
	}
}

bool graph_on_cycles(const struct graph *g, uint64_t *set)
{
	int x;

	edges.nr = 0;
	for (int side = FROM; side <= TO; side++) {
		memset(edges.head[side], -1, g->hi * sizeof(int16_t));
		memset(edges.nr_before[side], 0, g->hi * sizeof(int16_t));
	}
	for_each_bit(x, g->live, g->words)
		edges_of_thread(g, x);
	for (int l = 0; l < g->nr_loc; l++)
		edges_of_location(g, l);
	memcpy(set, g->live, g->words * sizeof(uint64_t));
	peel(g, set, FROM);
	peel(g, set, TO);
	for (int i = 0; i < g->words; i++)
		if (set[i])
			return true;
	return false;
}

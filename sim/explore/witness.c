// SPDX-License-Identifier: GPL-2.0-only
/*
 * witness.c - executions that differ only in how grace periods came to pass.
 *
 * The search sees the words of sections: what a grace period sees of them when it
 * begins is a choice. linux-kernel.cat knows no such words. An execution is there if
 * for each section and grace period one or the other comes first; how is no part of
 * it. So of all the choices that make one execution, one counts: in the order of
 * threads and steps, each grace period sees the earliest that it can see, and waits for
 * no more than it must.
 */
#include "lkmm.h"

#include <stdlib.h>

#define MAX_LOOKS 256 /* with more, some executions may count twice */

static struct {
	struct graph *g;
	int nr;
	struct look {
		int x, end; /* the event; the barrier behind it */
		int first;  /* what it sees in this execution */
	} look[MAX_LOOKS];
} witness;

/* ---- what a look may see ------------------------------------------------------------ */

static uint64_t word_at(const struct graph *g, int loc, const int16_t *list,
			int rank)
{
	return graph_value(g, loc, engine->loc[loc].size, list[rank],
			   memory_initial(loc));
}

/* The place of the write that ends the wait for what `first` shows, or -1. */
static int end_of_wait(const struct graph *g, int loc, int first)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(g, loc, list);
	uint64_t seen = word_at(g, loc, list, first);

	for (int k = first; k <= n; k++)
		if (!(word_at(g, loc, list, k) & seen))
			return k;
	return -1;
}

/* What the thread has seen, or written, of the word before. */
static int least(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];
	int low = 0;

	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];
		int rank = f->kind == EV_WRITE	      ? f->rank
			   : f->op == OP_RCU_SNAPSHOT ? lk.last[y]
						      : 0;

		if (f->thread == e->thread && f->index < e->index && rank > low)
			low = rank;
	}
	return low;
}

/* ---- is that an execution? ----------------------------------------------------------- */

/* What x reads from or waits for, as lk.first and lk.last say; -1: nothing. */
static int source(const struct graph *g, int x)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	const struct event *e = &g->ev[x];

	if (e->kind != EV_READ || e->op == OP_RCU_WAIT || e->rf == RF_WAITING)
		return -1;
	if (e->op != OP_RCU_SNAPSHOT)
		return e->rf;
	graph_co(g, e->loc, list);
	return list[lk.first[x]];
}

/* Do program order and reads-from have no cycle? The search builds none. */
static bool no_load_buffering(const struct graph *g)
{
	uint64_t todo[GRAPH_MAX_EVENTS / 64];
	int16_t before[MAX_PREDECESSORS], list[GRAPH_MAX_EVENTS + 1];
	bool progress = true, left = true;
	int x;

	memcpy(todo, g->live, g->words * sizeof(uint64_t));
	while (progress && left) {
		progress = left = false;
		for_each_bit(x, todo, g->words) {
			int n = lkmm_predecessors(g, x, before);
			int from = source(g, x);
			bool ready = from < 0 || !bit_test(todo, from);

			while (n > 0)
				ready &= !bit_test(todo, before[--n]);
			for (int i = 0; ready && i < witness.nr; i++) {
				const struct look *l = &witness.look[i];

				if (l->end != x)
					continue;
				graph_co(g, g->ev[l->x].loc, list);
				from = list[lk.last[l->x]];
				ready &= from < 0 || !bit_test(todo, from);
			}
			progress |= ready;
			left |= !ready;
			if (ready)
				bit_clear(todo, x);
		}
	}
	return !left;
}

static bool set(const struct look *l, int first)
{
	lk.first[l->x] = first;
	lk.last[l->x] = end_of_wait(witness.g, witness.g->ev[l->x].loc, first);
	if (lk.last[l->x] >= 0)
		return true;
	lk.first[l->x] = -1;
	return false;
}

/* Those before look i were consistent: with it, and with any choice of those behind? */
static bool completes(int i)
{
	struct look *l = &witness.look[i];
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n;

	lkmm_relate(witness.g);
	if (lkmm_leads_to(l->x, l->x) ||
	    (l->end >= 0 && lkmm_leads_to(l->end, l->end)))
		return false;
	if (++i == witness.nr)
		return no_load_buffering(witness.g);
	l++;
	n = graph_co(witness.g, witness.g->ev[l->x].loc, list);
	for (int k = least(witness.g, l->x); k <= n; k++)
		if (set(l, k) && completes(i))
			return true;
	lk.first[l->x] = lk.last[l->x] = -1;
	return false;
}

/* ---- all looks ---------------------------------------------------------------------- */

/* By thread, then by step. */
static void collect(struct graph *g)
{
	int from;

	witness.g = g;
	witness.nr = 0;
	for (int t = 0; t < g->nr_threads; t++) {
		from = witness.nr;
		for (int x = g->last[t]; x >= 0; x = g->ev[x].prev)
			if (g->ev[x].op == OP_RCU_SNAPSHOT &&
			    witness.nr < MAX_LOOKS)
				witness.look[witness.nr++].x = x;
		for (int i = from, k = witness.nr - 1; i < k; i++, k--) {
			struct look swap = witness.look[i];

			witness.look[i] = witness.look[k];
			witness.look[k] = swap;
		}
	}
}

bool lkmm_first_witness(struct graph *g)
{
	collect(g);
	lkmm_looks(g);
	for (int i = 0; i < witness.nr; i++) {
		struct look *l = &witness.look[i];

		l->end = lkmm_end_of_grace(g, l->x);
		l->first = lk.first[l->x];
		if (lk.last[l->x] != end_of_wait(g, g->ev[l->x].loc, l->first))
			return false; /* waits for longer than it must */
		lk.first[l->x] = lk.last[l->x] = -1;
	}
	for (int i = 0; i < witness.nr; i++) {
		struct look *l = &witness.look[i];

		for (int k = least(g, l->x); k < l->first; k++)
			if (set(l, k) && completes(i))
				return false;
		set(l, l->first);
	}
	return true;
}

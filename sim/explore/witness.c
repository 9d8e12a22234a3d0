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
	enum graph_model m;
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
			   : f->op == OP_RCU_SNAPSHOT ? grace.last[y]
						      : 0;

		if (f->thread == e->thread && f->index < e->index && rank > low)
			low = rank;
	}
	return low;
}

/*
 * Under LKMM that look would lead to the same orders if it had been before the end of
 * section w, and had waited for that; elsewhere it itself is before or after it.
 */
static bool looks_late(const struct graph *g, enum graph_model m, int w,
		       bool or_earlier)
{
	return m == GRAPH_LKMM && or_earlier && w >= 0 &&
	       g->ev[w].op == OP_RCU_UNLOCK;
}

bool witness_is_later(const struct graph *g, enum graph_model m, int a, int w,
		      bool or_earlier)
{
	const struct event *e = &g->ev[a];
	int x = e->prev;

	if (e->op == OP_RCU_SNAPSHOT)
		return looks_late(g, m, w, or_earlier);
	if (e->op != OP_RCU_WAIT)
		return false;
	while (g->ev[x].op != OP_RCU_SNAPSHOT || g->ev[x].loc != e->loc)
		x = g->ev[x].prev;
	return graph_rank(g, w) !=
	       end_of_wait(g, e->loc, graph_rank(g, g->ev[x].rf));
}

/* ---- is that an execution? ----------------------------------------------------------- */

/* What x reads from; -1: nothing. */
static int source(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];

	return e->kind == EV_READ && e->rf != RF_WAITING ? e->rf : -1;
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
				from = list[grace.last[l->x]];
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

static void unset(const struct look *l)
{
	grace.first[l->x] = grace.last[l->x] = -1;
	witness.g->ev[l->x].rf = RF_WAITING;
}

static bool set(const struct look *l, int first)
{
	struct event *e = &witness.g->ev[l->x];
	int16_t list[GRAPH_MAX_EVENTS + 1];

	graph_co(witness.g, e->loc, list);
	grace.first[l->x] = first;
	grace.last[l->x] = end_of_wait(witness.g, e->loc, first);
	e->rf = list[first];
	if (grace.last[l->x] >= 0 || l->end < 0)
		return true;
	unset(l);
	return false;
}

/* With looks up to l, when those before l were consistent. */
static bool consistent(const struct look *l)
{
	if (witness.m != GRAPH_LKMM)
		return graph_recheck(witness.g, witness.m);
	lkmm_relate(witness.g, LINK_ALL);
	return !lkmm_leads_to(l->x, l->x) &&
	       !(l->end >= 0 && lkmm_leads_to(l->end, l->end));
}

/* A grace period that does not end waits for something. */
static bool stuck_ones_wait(void)
{
	for (int i = 0; i < witness.nr; i++) {
		const struct look *l = &witness.look[i];
		int thread = witness.g->ev[l->x].thread;
		bool waits = l->end >= 0;

		for (int k = 0; k < witness.nr; k++) {
			const struct look *o = &witness.look[k];

			waits |= witness.g->ev[o->x].thread == thread &&
				 o->end < 0 && grace.last[o->x] < 0;
		}
		if (!waits)
			return false;
	}
	return true;
}

/* Those before look i were consistent: with it, and with any choice of those behind? */
static bool completes(int i)
{
	struct look *l = &witness.look[i];
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n;

	if (!consistent(l))
		return false;
	if (++i == witness.nr)
		return stuck_ones_wait() && no_load_buffering(witness.g);
	l++;
	n = graph_co(witness.g, witness.g->ev[l->x].loc, list);
	for (int k = least(witness.g, l->x); k <= n; k++)
		if (set(l, k) && completes(i))
			return true;
	unset(l);
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

/* A look is what grace.first says, and what waits is where grace.last says. */
static void forget_waits(struct graph *g)
{
	int x;

	for_each_bit(x, g->live, g->words)
		if (g->ev[x].op == OP_RCU_WAIT)
			g->ev[x].rf = RF_WAITING;
}

/* With all others as they are: that is most of what there is, and soon found. */
static bool one_could_be_earlier(void)
{
	for (int i = 0; i < witness.nr; i++) {
		struct look *l = &witness.look[i];

		for (int k = l->first - 1; k >= least(witness.g, l->x); k--)
			if (set(l, k) && consistent(l) && stuck_ones_wait() &&
			    no_load_buffering(witness.g))
				return true;
		set(l, l->first);
	}
	return false;
}

/* If it does not end, l may not have come to wait. */
static bool waits_too_long(const struct look *l)
{
	int loc = witness.g->ev[l->x].loc;

	if (l->end < 0 && grace.last[l->x] == l->first)
		return false;
	return grace.last[l->x] != end_of_wait(witness.g, loc, l->first);
}

bool witness_is_first(struct graph *g, enum graph_model m)
{
	witness.m = m;
	collect(g);
	grace_looks(g);
	forget_waits(g);
	for (int i = 0; i < witness.nr; i++) {
		struct look *l = &witness.look[i];

		l->end = grace_end_of(g, l->x);
		l->first = grace.first[l->x];
		if (waits_too_long(l))
			return false;
		set(l, l->first);
	}
	if (one_could_be_earlier())
		return false;
	for (int i = 0; i < witness.nr; i++)
		unset(&witness.look[i]);
	for (int i = 0; i < witness.nr; i++) {
		struct look *l = &witness.look[i];

		for (int k = least(g, l->x); k < l->first; k++)
			if (set(l, k) && completes(i))
				return false;
		set(l, l->first);
	}
	return true;
}

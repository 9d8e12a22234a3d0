// SPDX-License-Identifier: GPL-2.0-only
/*
 * revisit.c - a new write may be what an earlier read reads.
 *
 * What was added after that read and does not lead to the write is removed; but
 * only if it, and the read, had been added canonically, so that each result is
 * reached once (search.c).
 */
#include "search.h"

static bool in_prev(const struct graph *g, int x, const struct event *e, int a)
{
	return g->ev[x].served <= e->served || bit_test(graph_porf(g, a), x);
}

/*
 * Was e added in the canonical way, seen from the revisit by a: among what was
 * there then, or leads to a, does it read (is it) the latest?
 */
static bool is_maximal(const struct graph *g, int slot, int a)
{
	const struct event *e = &g->ev[slot];
	int w, rank;

	if (e->kind == EV_CHOOSE || e->op == OP_IRQ)
		return e->val == 0;
	if (e->kind != EV_READ && e->kind != EV_WRITE)
		return true;
	if (e->nr_pins)
		return false;
	w = e->kind == EV_READ ? e->rf : slot;
	if (w == RF_WAITING)
		return true;
	rank = graph_rank(g, w);
	if (e->kind == EV_READ && w >= 0 && !in_prev(g, w, e, a))
		return false;
	for (int x = g->loc_head[e->loc]; x >= 0; x = g->ev[x].link) {
		const struct event *f = &g->ev[x];

		if (x == a || x == slot || !in_prev(g, x, e, a))
			continue;
		if (f->kind == EV_WRITE && f->rank > rank)
			return false;
		if (f->kind == EV_READ && e->kind == EV_WRITE && f->rf == slot)
			return false;
	}
	return true;
}

/*
 * What the revisit of r by a removes, and the awaits that it takes back to
 * waiting (served since, but added before). False: not allowed.
 */
static bool split(const struct graph *g, int a, int r, uint64_t *dead,
		  uint64_t *reset)
{
	uint32_t since = g->ev[r].served;
	int x;

	memset(dead, 0, g->words * sizeof(uint64_t));
	memset(reset, 0, g->words * sizeof(uint64_t));
	for_each_bit(x, g->live, g->words) {
		const struct event *e = &g->ev[x];

		if (x == a || e->served <= since ||
		    bit_test(graph_porf(g, a), x))
			continue;
		if (!is_maximal(g, x, a))
			return false;
		if (e->stamp > since)
			bit_set(dead, x);
		else if (e->rf != RF_WAITING)
			bit_set(reset, x);
	}
	return true;
}

/* Write a is new, and read r reads from it now. */
static bool consistent(struct graph *g, int a, int r)
{
	if (engine->model != GRAPH_LKMM)
		return graph_check(g, engine->model);
	g->ev[r].val = grow_value(g, &g->ev[r], a);
	return lkmm_consistent(g, a, r);
}

/* Write a (not placed yet) may be what the earlier read r reads. */
static void revisit(struct graph *g, int a, int r)
{
	uint64_t dead[GRAPH_MAX_EVENTS / 64], reset[GRAPH_MAX_EVENTS / 64];
	int16_t list[GRAPH_MAX_EVENTS + 1];
	struct graph *h = search->removed;
	int x, n, lo, hi;

	if (!is_maximal(g, r, a) || !split(g, a, r, dead, reset))
		return;
	graph_copy(h, g);
	graph_remove(h, dead);
	for_each_bit(x, reset, h->words)
		graph_unset_rf(h, x);
	graph_unset_rf(h, r);
	bits_or(graph_porf(h, r), graph_porf(h, a), h->words);
	bit_set(graph_porf(h, r), a);
	h->ev[r].rf = a;

	n = graph_co(h, h->ev[r].loc, list);
	lo = graph_floor(h, a);
	hi = n;
	if (h->ev[a].flags & EVF_RMW)
		lo = hi = graph_rank(h, h->ev[h->ev[a].prev].rf);
	for (int k = lo; k <= hi; k++) {
		struct graph *c;

		if (grow_splits_rmw(h, list, n, k))
			continue;
		c = frontier_top();
		graph_copy(c, h);
		graph_shift(c, a, list, n, k);
		if (graph_floor(c, r) > c->ev[a].rank || !consistent(c, a, r))
			continue;
		if ((c->ev[r].flags & EVF_AWAIT) &&
		    !await_revisited(c, r, a, k == n))
			continue;
		frontier_keep();
	}
}

void revisit_all(struct graph *g, int a)
{
	for (int r = g->loc_head[g->ev[a].loc]; r >= 0; r = g->ev[r].link)
		if (g->ev[r].kind == EV_READ && g->ev[r].rf != RF_WAITING &&
		    !bit_test(graph_porf(g, a), r))
			revisit(g, a, r);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph.c - building, shrinking and checking execution graphs.
 *
 * Everything the search needs of a memory model is here: which program-order
 * and reads-from pairs are kept (graph_add, graph_set_rf, graph_check).
 *
 * Of the words of sections SC keeps all but that a wait comes before what overwrites
 * its source: it may as well have read that. Under TSO a section begins like a load and
 * ends like a store: what was written before has reached memory then. A grace period
 * looks at both as they happen, and nothing else of the words is in any order.
 */
#include "grace.h"

#include <stdlib.h>

/* ---- memory --------------------------------------------------------------- */

struct graph *graph_new(int cap, int nr_loc)
{
	int words = cap / 64;
	size_t rows = (size_t)cap * words * sizeof(uint64_t);
	size_t heads = ((size_t)nr_loc * sizeof(int16_t) + 7) & ~(size_t)7;
	size_t size = sizeof(struct graph) + words * sizeof(uint64_t) + heads +
		      cap * sizeof(struct event) + 2 * rows;
	struct graph *g = malloc(size);
	char *p = (char *)(g + 1);

	if (!g)
		return NULL;
	g->words = words;
	g->cap = cap;
	g->nr_loc = nr_loc;
	g->live = (uint64_t *)p;
	p += words * sizeof(uint64_t);
	g->loc_head = (int16_t *)p;
	p += heads;
	g->ev = (struct event *)p;
	p += cap * sizeof(struct event);
	g->porf = (uint64_t *)p;
	g->before = (uint64_t *)(p + rows);
	graph_clear(g);
	return g;
}

void graph_free(struct graph *g)
{
	free(g);
}

void graph_clear(struct graph *g)
{
	g->hi = 0;
	g->stamp = 0;
	g->nr_threads = 0;
	memset(g->last, -1, sizeof(g->last));
	memset(g->creator, -1, sizeof(g->creator));
	memset(g->live, 0, g->words * sizeof(uint64_t));
	memset(g->loc_head, -1, g->nr_loc * sizeof(int16_t));
}

void graph_copy(struct graph *to, const struct graph *from)
{
	size_t rows = (size_t)from->hi * from->words * sizeof(uint64_t);

	to->hi = from->hi;
	to->stamp = from->stamp;
	to->nr_threads = from->nr_threads;
	memcpy(to->last, from->last, sizeof(to->last));
	memcpy(to->creator, from->creator, sizeof(to->creator));
	memcpy(to->live, from->live, from->words * sizeof(uint64_t));
	memcpy(to->loc_head, from->loc_head, from->nr_loc * sizeof(int16_t));
	memcpy(to->ev, from->ev, from->hi * sizeof(struct event));
	memcpy(to->porf, from->porf, rows);
	memcpy(to->before, from->before, rows);
}

/* ---- adding ----------------------------------------------------------------- */

static int free_slot(const struct graph *g)
{
	for (int i = 0; i < g->words; i++)
		if (~g->live[i])
			return i * 64 + __builtin_ctzll(~g->live[i]);
	return -1;
}

/*
 * Write to later read is all that TSO does not keep; a choice is a read of nothing.
 * (An x86 CPU drains its store buffer when an interrupt comes, and when it returns.)
 */
static bool keeps_all(const struct event *e, enum graph_model m)
{
	if (m == GRAPH_SC)
		return true;
	if (grace_is_word(e))
		return false;
	return (e->flags & EVF_RMW) ||
	       (e->kind != EV_READ && e->kind != EV_WRITE &&
		e->kind != EV_CHOOSE && e->kind != EV_POINT);
}

/* Does program order treat it as a store? */
static bool stores(const struct event *e)
{
	return grace_is_word(e) ? e->op == OP_RCU_UNLOCK : e->kind == EV_WRITE;
}

/* Does it come before what overwrites its source, and after that, like other accesses? */
static bool communicates(const struct event *e, enum graph_model m)
{
	return m == GRAPH_SC ? e->op != OP_RCU_WAIT : !grace_is_word(e);
}

static void add_pp(struct event *e, int *n, int p)
{
	if (p < 0)
		return;
	for (int i = 0; i < *n; i++)
		if (e->pp[i] == p)
			return;
	e->pp[(*n)++] = p;
}

int graph_thread_end(const struct graph *g, int t)
{
	return g->last[t] >= 0 ? g->last[t] : g->creator[t];
}

static void link_thread_end(struct graph *g, int a, int t)
{
	int end = graph_thread_end(g, t);

	if (end < 0)
		return;
	bits_or(graph_porf(g, a), graph_porf(g, end), g->words);
	bit_set(graph_porf(g, a), end);
}

static void close_over(struct graph *g, uint64_t *b, int x)
{
	if (x < 0)
		return;
	bits_or(b, graph_before(g, x), g->words);
	bit_set(b, x);
}

/* What the law of grace periods puts before x. */
static void close_grace(struct graph *g, uint64_t *b, int x)
{
	int16_t list[GRAPH_MAX_EVENTS];
	int n = grace_before(g, x, list);

	while (n > 0)
		close_over(g, b, list[--n]);
}

/* `before` of an ended thread's events; its store buffer has drained. */
static void close_thread(struct graph *g, uint64_t *b, int t)
{
	int end = graph_thread_end(g, t);

	if (end < 0)
		return;
	if (g->last[t] < 0) {
		close_over(g, b, end);
		return;
	}
	close_over(g, b, g->ev[end].last_r);
	close_over(g, b, g->ev[end].last_w);
}

int graph_add(struct graph *g, enum graph_model m, const struct event *proto)
{
	int a = free_slot(g);
	int t = proto->thread, p = g->last[t], c = g->creator[t], n = 0;
	struct event *e;
	uint64_t *porf, *before;
	int lr, lw;

	if (a < 0)
		return -1;
	if (a >= g->hi)
		g->hi = a + 1;
	if (t >= g->nr_threads)
		g->nr_threads = t + 1;
	if (proto->kind == EV_CREATE && proto->peer >= g->nr_threads)
		g->nr_threads = proto->peer + 1;
	e = &g->ev[a];
	*e = *proto;
	e->stamp = e->served = ++g->stamp;
	e->nr_pins = 0;
	e->prev = p;
	e->rf = -1;
	e->rank = 0;
	e->index = p < 0 ? 0 : g->ev[p].index + 1;
	e->link = -1;
	memset(e->pp, -1, sizeof(e->pp));

	porf = graph_porf(g, a);
	before = graph_before(g, a);
	memset(porf, 0, g->words * sizeof(uint64_t));
	memset(before, 0, g->words * sizeof(uint64_t));
	if (p >= 0 || c >= 0) {
		bits_or(porf, graph_porf(g, p >= 0 ? p : c), g->words);
		bit_set(porf, p >= 0 ? p : c);
	}
	lr = p >= 0 ? g->ev[p].last_r : c;
	lw = p >= 0 ? g->ev[p].last_w : c;
	add_pp(e, &n, lr);
	if (stores(e) || keeps_all(e, m))
		add_pp(e, &n, lw);
	e->last_r = stores(e) && !keeps_all(e, m) ? lr : a;
	e->last_w = stores(e) || keeps_all(e, m) ? a : lw;
	for (int i = 0; i < n; i++)
		close_over(g, before, e->pp[i]);

	if (e->kind == EV_JOIN) {
		link_thread_end(g, a, e->peer);
		close_thread(g, before, e->peer);
	} else if (e->kind == EV_JOIN_ALL) {
		for (int i = 0; i < g->nr_threads; i++) {
			if (i == t)
				continue;
			link_thread_end(g, a, i);
			close_thread(g, before, i);
		}
	}
	bit_set(g->live, a);
	g->last[t] = a;
	if (m != GRAPH_LKMM && grace_ends(g, a)) {
		grace_looks(g);
		close_grace(g, before, a);
	}
	if (e->loc >= 0) {
		e->link = g->loc_head[e->loc];
		g->loc_head[e->loc] = a;
	}
	return a;
}

/* ---- coherence ---------------------------------------------------------------- */

int graph_co(const struct graph *g, int loc, int16_t *list)
{
	int n = 0;

	list[0] = -1;
	for (int x = g->loc_head[loc]; x >= 0; x = g->ev[x].link)
		if (g->ev[x].kind == EV_WRITE && g->ev[x].rank) {
			list[g->ev[x].rank] = x;
			n++;
		}
	return n;
}

int graph_floor(const struct graph *g, int a)
{
	const struct event *e = &g->ev[a];
	int floor = 0;

	for (int x = g->loc_head[e->loc]; x >= 0; x = g->ev[x].link) {
		const struct event *f = &g->ev[x];
		int r;

		if (!graph_cpu_before(g, x, a))
			continue;
		r = f->kind == EV_WRITE ? f->rank : graph_rank(g, f->rf);
		if (r > floor)
			floor = r;
	}
	return floor;
}

static bool rf_is_ordered(const struct graph *g, enum graph_model m, int a,
			  int w)
{
	return w >= 0 &&
	       (communicates(&g->ev[a], m) || g->ev[a].op == OP_RCU_SNAPSHOT) &&
	       (m == GRAPH_SC || g->ev[w].thread != g->ev[a].thread);
}

/* The first write by `op` from `next` on, or -1. */
static int first_of(const struct graph *g, int next, int op)
{
	int first = -1;

	for (int x = g->loc_head[g->ev[next].loc]; x >= 0; x = g->ev[x].link) {
		const struct event *f = &g->ev[x];

		if (f->op == op && f->kind == EV_WRITE &&
		    f->rank >= g->ev[next].rank &&
		    (first < 0 || f->rank < g->ev[first].rank))
			first = x;
	}
	return first;
}

/* What read a comes right before, if `next` overwrites its source; -1: nothing. */
static void overwriters(const struct graph *g, enum graph_model m, int a,
			int next, int *list)
{
	const struct event *e = &g->ev[a];

	list[0] = list[1] = -1;
	if (next < 0)
		return;
	if (communicates(e, m)) {
		list[0] = next;
	} else if (e->op == OP_RCU_SNAPSHOT) {
		list[0] = first_of(g, next, OP_RCU_LOCK);
		list[1] = first_of(g, next, OP_RCU_UNLOCK);
	}
}

bool graph_read_ok(const struct graph *g, enum graph_model m, int a, int next)
{
	int list[2];

	if (next < 0 || m == GRAPH_LKMM)
		return true;
	overwriters(g, m, a, next, list);
	/* they are co-after the write itself, so never before it */
	return !(list[0] >= 0 && graph_is_before(g, list[0], a)) &&
	       !(list[1] >= 0 && graph_is_before(g, list[1], a));
}

/* a and all that is before it is now before `next`, too. */
static void propagate(struct graph *g, int a, int next)
{
	int x;

	for_each_bit(x, g->live, g->words)
		if (x == next || graph_is_before(g, next, x))
			close_over(g, graph_before(g, x), a);
}

void graph_set_rf(struct graph *g, enum graph_model m, int a, int w, int next)
{
	int list[2];

	g->ev[a].rf = w;
	if (w >= 0) {
		bits_or(graph_porf(g, a), graph_porf(g, w), g->words);
		bit_set(graph_porf(g, a), w);
	}
	if (m == GRAPH_LKMM)
		return;
	if (rf_is_ordered(g, m, a, w))
		close_over(g, graph_before(g, a), w);
	close_grace(g, graph_before(g, a), a);
	overwriters(g, m, a, next, list);
	for (int i = 0; i < 2; i++)
		if (list[i] >= 0)
			propagate(g, a, list[i]);
}

void graph_unset_rf(struct graph *g, int r)
{
	struct event *e = &g->ev[r];
	int p = e->prev >= 0 ? e->prev : g->creator[e->thread];

	e->rf = RF_WAITING;
	memset(graph_porf(g, r), 0, g->words * sizeof(uint64_t));
	memset(graph_before(g, r), 0, g->words * sizeof(uint64_t));
	if (p >= 0) {
		bits_or(graph_porf(g, r), graph_porf(g, p), g->words);
		bit_set(graph_porf(g, r), p);
	}
	for (int i = 0; i < 4; i++)
		close_over(g, graph_before(g, r), e->pp[i]);
}

/* Before write a, if placed right after p: p, and every reader of p. */
static void close_co_pred(struct graph *g, enum graph_model m, int a, int p)
{
	uint64_t *b = graph_before(g, a);

	if (!communicates(&g->ev[a], m))
		return;
	close_over(g, b, p);
	for (int x = g->loc_head[g->ev[a].loc]; x >= 0; x = g->ev[x].link)
		if (g->ev[x].kind == EV_READ && g->ev[x].rf == p &&
		    communicates(&g->ev[x], m))
			close_over(g, b, x);
}

bool graph_place_ok(const struct graph *g, enum graph_model m, int a,
		    const int16_t *list, int n, int k)
{
	int next = k < n ? list[k + 1] : -1;

	if (next < 0 || !communicates(&g->ev[a], m))
		return true;
	if (graph_is_before(g, next, a))
		return false;
	for (int x = g->loc_head[g->ev[a].loc]; x >= 0; x = g->ev[x].link)
		if (g->ev[x].kind == EV_READ && g->ev[x].rf == list[k] &&
		    x != a && communicates(&g->ev[x], m) &&
		    graph_is_before(g, next, x))
			return false;
	return true;
}

void graph_shift(struct graph *g, int a, const int16_t *list, int n, int k)
{
	for (int i = k + 1; i <= n; i++)
		g->ev[list[i]].rank++;
	g->ev[a].rank = k + 1;
}

void graph_place(struct graph *g, enum graph_model m, int a,
		 const int16_t *list, int n, int k)
{
	close_co_pred(g, m, a, list[k]);
	graph_shift(g, a, list, n, k);
	close_grace(g, graph_before(g, a), a);
	if (k < n && communicates(&g->ev[a], m))
		propagate(g, a, list[k + 1]);
}

/* ---- removing --------------------------------------------------------------------- */

/* Pins of awaits that are gone. */
static void drop_pins(const struct graph *g, struct event *w)
{
	int n = 0;

	for (int i = 0; i < w->nr_pins; i++) {
		int last = g->last[w->pins[i].thread];

		if (last >= 0 && g->ev[last].index >= w->pins[i].index)
			w->pins[n++] = w->pins[i];
	}
	w->nr_pins = n;
}

void graph_remove(struct graph *g, const uint64_t *dead)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int x;

	for (int i = 0; i < g->words; i++)
		g->live[i] &= ~dead[i];
	for (int t = 0; t < g->nr_threads; t++) {
		while (g->last[t] >= 0 && bit_test(dead, g->last[t]))
			g->last[t] = g->ev[g->last[t]].prev;
		if (g->creator[t] >= 0 && bit_test(dead, g->creator[t]))
			g->creator[t] = -1;
	}
	for (int l = 0; l < g->nr_loc; l++) {
		int16_t *at = &g->loc_head[l];
		int n = graph_co(g, l, list), rank = 0;

		for (int k = 1; k <= n; k++)
			if (bit_test(g->live, list[k]))
				g->ev[list[k]].rank = ++rank;
		while (*at >= 0) {
			if (bit_test(g->live, *at))
				at = &g->ev[*at].link;
			else
				*at = g->ev[*at].link;
		}
	}
	/* rows of removed events are gone; bits naming them must go as well */
	for_each_bit(x, g->live, g->words) {
		for (int i = 0; i < g->words; i++)
			graph_porf(g, x)[i] &= g->live[i];
		drop_pins(g, &g->ev[x]);
	}
	while (g->hi > 0 && !bit_test(g->live, g->hi - 1))
		g->hi--;
}

/* ---- the whole graph ----------------------------------------------------------------- */

/* Fill b from the predecessors of x; false if one is not in `done` yet. */
static bool close_all_preds(struct graph *g, enum graph_model m, int x,
			    const uint64_t *done, uint64_t *b)
{
	const struct event *e = &g->ev[x];
	bool joins = e->kind == EV_JOIN || e->kind == EV_JOIN_ALL;
	int16_t list[GRAPH_MAX_EVENTS];
	int n;

	memset(b, 0, g->words * sizeof(uint64_t));
	for (int i = 0; i < 4 && e->pp[i] >= 0; i++) {
		if (!bit_test(done, e->pp[i]))
			return false;
		close_over(g, b, e->pp[i]);
	}
	for (int t = 0; joins && t < g->nr_threads; t++) {
		int end = graph_thread_end(g, t);

		if (end < 0 || t == e->thread ||
		    (e->kind == EV_JOIN && e->peer != t))
			continue;
		if (!bit_test(done, end) ||
		    (g->last[t] >= 0 && ((g->ev[end].last_r >= 0 &&
					  !bit_test(done, g->ev[end].last_r)) ||
					 (g->ev[end].last_w >= 0 &&
					  !bit_test(done, g->ev[end].last_w)))))
			return false;
		close_thread(g, b, t);
	}
	if (e->kind == EV_READ && rf_is_ordered(g, m, x, e->rf)) {
		if (!bit_test(done, e->rf))
			return false;
		close_over(g, b, e->rf);
	}
	n = grace_before(g, x, list);
	while (n > 0) {
		if (!bit_test(done, list[--n]))
			return false;
		close_over(g, b, list[n]);
	}
	if (e->kind != EV_WRITE || !communicates(e, m))
		return true;
	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];
		int rank = f->kind == EV_WRITE ? f->rank : graph_rank(g, f->rf);

		if (y == x || rank != e->rank - 1 || !communicates(f, m) ||
		    (f->kind == EV_WRITE ? !f->rank : f->rf == RF_WAITING))
			continue;
		if (!bit_test(done, y))
			return false;
		close_over(g, b, y);
	}
	return true;
}

bool graph_check(struct graph *g, enum graph_model m)
{
	grace_looks(g);
	return graph_recheck(g, m);
}

bool graph_recheck(struct graph *g, enum graph_model m)
{
	uint64_t todo[GRAPH_MAX_EVENTS / 64], done[GRAPH_MAX_EVENTS / 64];
	int x;

	memcpy(todo, g->live, g->words * sizeof(uint64_t));
	memset(done, 0, g->words * sizeof(uint64_t));
	for (;;) {
		bool progress = false, left = false;

		for_each_bit(x, todo, g->words) {
			if (close_all_preds(g, m, x, done,
					    graph_before(g, x))) {
				bit_set(done, x);
				bit_clear(todo, x);
				progress = true;
			} else {
				left = true;
			}
		}
		if (!left)
			return true;
		if (!progress)
			return false;
	}
}

uint64_t graph_value(const struct graph *g, int loc, unsigned int size, int w,
		     uint64_t initial)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	uint64_t covered = 0, v = 0;

	if (w < 0)
		return initial;
	if (g->ev[w].off == 0 && g->ev[w].size == size)
		return g->ev[w].val;
	/* a write of a part: the other bytes are those of the writes before */
	graph_co(g, loc, list);
	for (int k = g->ev[w].rank; k > 0; k--) {
		const struct event *e = &g->ev[list[k]];
		uint64_t m = size_mask(e->size) << (e->off * 8) & ~covered;

		v |= e->val << (e->off * 8) & m;
		covered |= m;
	}
	return v | (initial & ~covered);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * lkmm.c - the kernel's memory model as a test on a graph.
 *
 * After linux-kernel.cat (tools/memory-model; Alglave, Maranget, McKenney, Parri,
 * Stern, ASPLOS 2018) for marked accesses. Coherence and the atomicity of RMWs are
 * kept by the search, so what is left is that happens-before and propagation have
 * no cycle; together they are the model's executes-before (xb). The search never
 * builds a cycle of program order and reads-from: load buffering is left out.
 * Dependencies are not seen, but for addresses that come from rcu_dereference
 * (depend.c); so either no read is taken to lead to a later write or each is
 * (DEPS_ALL). C11's fences are no barriers of the kernel's: after a release fence each
 * store is a release, and before an acquire fence each load an acquire. What program
 * order and RCU contribute is in preserved.c.
 *
 * A graph grows by one event at a time, or has one read changed, and was consistent
 * before. Nothing follows that event in its thread, so a cycle that is new goes
 * through it. So it is enough to see what the event leads to.
 */
#include "lkmm.h"

#include <stdlib.h>

struct lkmm lk;

/* ---- the relations of a graph ------------------------------------------------------ */

static void make_room(const struct graph *g)
{
	size_t rows = (size_t)g->cap * g->words * sizeof(uint64_t);

	lk.words = g->words;
	if (lk.cap >= g->cap)
		return;
	lk.cap = g->cap;
	for (int r = 0; r < NR_RELATIONS; r++) {
		free(lk.rows[r]);
		lk.rows[r] = malloc(rows);
		if (!lk.rows[r])
			abort();
	}
	for (int b = 0; b < NR_BEHIND; b++) {
		free(lk.behind[b]);
		lk.behind[b] = malloc(rows);
		if (!lk.behind[b])
			abort();
	}
	free(lk.later);
	lk.later = malloc(rows + g->words * sizeof(uint64_t));
	free(lk.reads);
	lk.reads = malloc(5 * g->words * sizeof(uint64_t));
	if (!lk.later || !lk.reads)
		abort();
	lk.writes = lk.reads + g->words;
	lk.accesses = lk.writes + g->words;
	lk.links = lk.accesses + g->words;
	lk.linked_writes = lk.links + g->words;
}

static void classify(enum lkmm_links links)
{
	int x;

	memset(lk.reads, 0, 5 * lk.words * sizeof(uint64_t));
	for_each_bit(x, lk.g->live, lk.words) {
		const struct event *e = &lk.g->ev[x];
		bool link = links == LINK_ALL ||
			    !(e->flags & (EVF_PLAIN | EVF_SPLIT));

		if (link)
			bit_set(lk.links, x);
		if (e->op == OP_RCU_SNAPSHOT || grace_ends(lk.g, x))
			bit_set(lk.accesses, x);
		if (grace_is_word(e))
			continue;
		if (e->kind == EV_READ)
			bit_set(lk.reads, x);
		else if (e->kind == EV_WRITE || e->kind == EV_FREE)
			bit_set(lk.writes, x);
		else
			continue;
		bit_set(lk.accesses, x);
		if (link && bit_test(lk.writes, x))
			bit_set(lk.linked_writes, x);
	}
}

/* Threads are CPUs here: who interrupts one is a part of it. */
static bool is_of(int x, int thread)
{
	return graph_cpu(lk.g, lk.g->ev[x].thread) == thread;
}

static void reads_from_others(int x)
{
	const struct event *e = &lk.g->ev[x];

	if (e->rf >= 0 && bit_test(lk.links, e->rf) &&
	    !is_of(e->rf, graph_cpu(lk.g, e->thread)))
		bit_set(lkmm_row(RFE, e->rf), x);
}

/* Fill lk.later, for each place in the order of a location. */
static void later_writes(int loc)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	size_t size = lk.words * sizeof(uint64_t);
	int n = graph_co(lk.g, loc, list);

	memset(lk.later + (size_t)n * lk.words, 0, size);
	for (int k = n; k > 0; k--) {
		uint64_t *to = lk.later + (size_t)(k - 1) * lk.words;

		memcpy(to, to + lk.words, size);
		if (bit_test(lk.linked_writes, list[k]))
			bit_set(to, list[k]);
	}
}

static void communication(int loc)
{
	bool filled = false;

	for (int x = lk.g->loc_head[loc]; x >= 0; x = lk.g->ev[x].link) {
		const struct event *e = &lk.g->ev[x];
		bool reads = e->kind == EV_READ && bit_test(lk.reads, x);
		int place;

		if (!bit_test(lk.links, x) || e->rf == RF_WAITING ||
		    !(reads || (bit_test(lk.writes, x) && e->rank)))
			continue;
		if (!filled)
			later_writes(loc);
		filled = true;
		if (reads)
			reads_from_others(x);
		place = reads ? graph_rank(lk.g, e->rf) : e->rank;
		memcpy(lkmm_row(OVERWRITE, x),
		       lk.later + (size_t)place * lk.words,
		       lk.words * sizeof(uint64_t));
	}
}

void lkmm_relate(struct graph *g, enum lkmm_links links)
{
	size_t size = (size_t)g->hi * g->words * sizeof(uint64_t);

	make_room(g);
	lk.g = g;
	classify(links);
	for (int r = 0; r < NR_RELATIONS; r++)
		memset(lk.rows[r], 0, size);
	for (int b = 0; b < NR_BEHIND; b++)
		memset(lk.behind[b], 0, size);
	for (int l = 0; l < g->nr_loc; l++)
		communication(l);
	lkmm_preserved();
}

/* ---- what an event leads to ----------------------------------------------------------- */

#define WORDS (GRAPH_MAX_EVENTS / 64)
#define START \
	NR_THREADS /* a party of its own: prop leads from it to itself, too */

/*
 * prop = (overwrite & ext)? ; cumul-fence* ; rfe?, from all events of a thread that have
 * been reached: it leads on only within that thread (happens-before), or through a
 * strong fence (propagation), whoever it began with.
 */
struct party {
	uint64_t begun[WORDS]; /* ... (overwrite & ext)? */
	uint64_t
		fenced[WORDS]; /* ... ; cumul-fence+, before its rmw-sequence */
	uint64_t cumulated[WORDS]; /* one step has been taken from it */
	uint64_t done[WORDS];	   /* prop */
	bool used;
};

static struct {
	struct party party[NR_THREADS + 1];
	uint64_t reached[WORDS];	/* xb */
	int16_t todo[GRAPH_MAX_EVENTS]; /* reached, and no step taken from it */
	int nr;
	int16_t chain[2 * GRAPH_MAX_EVENTS]; /* of a party: to be cumulated */
	int nr_chain;
} xb;

static void reach(int x)
{
	if (bit_test(xb.reached, x))
		return;
	bit_set(xb.reached, x);
	xb.todo[xb.nr++] = x;
}

static void reach_all(const uint64_t *set)
{
	int x;

	for (int i = 0; i < lk.words; i++) {
		uint64_t left = set[i] & lk.links[i] & ~xb.reached[i];

		for (; left; left &= left - 1) {
			x = i * 64 + __builtin_ctzll(left);
			reach(x);
		}
	}
}

static void reach_own(const uint64_t *set, int thread)
{
	int x;

	for_each_bit(x, set, lk.words)
		if (is_of(x, thread) && bit_test(lk.links, x))
			reach(x);
}

/* x is at the end of a prop; `from`: what all began with, if that is one event. */
static void propagated(struct party *p, int thread, int from, int x)
{
	if (bit_test(p->done, x))
		return;
	bit_set(p->done, x);
	reach_all(lkmm_row(STRONG, x));
	if (is_of(x, thread) && x != from)
		reach(x);
}

/* x begins a prop, but for its cumul-fences. */
static void begin(struct party *p, int thread, int from, int x)
{
	if (bit_test(p->begun, x))
		return;
	bit_set(p->begun, x);
	propagated(p, thread, from, x);
	xb.chain[xb.nr_chain++] = x;
}

/* x is at the end of a cumul-fence, or in its rmw-sequence. */
static void fenced(struct party *p, int thread, int from, int x)
{
	if (bit_test(p->fenced, x) || !bit_test(lk.links, x))
		return;
	bit_set(p->fenced, x);
	propagated(p, thread, from, x);
	xb.chain[xb.nr_chain++] = x;
}

static void all_fenced(struct party *p, int thread, int from,
		       const uint64_t *set)
{
	for (int i = 0; i < lk.words; i++)
		for (uint64_t left = set[i] & ~p->fenced[i]; left;
		     left &= left - 1)
			fenced(p, thread, from, i * 64 + __builtin_ctzll(left));
}

static void rmw_sequence(struct party *p, int thread, int from, int x)
{
	const struct graph *g = lk.g;

	if (g->ev[x].kind != EV_WRITE)
		return;
	for (int y = g->loc_head[g->ev[x].loc]; y >= 0; y = g->ev[y].link)
		if (g->ev[y].kind == EV_WRITE && (g->ev[y].flags & EVF_RMW) &&
		    g->ev[g->ev[y].prev].rf == x)
			fenced(p, thread, from, y);
}

/* One step of cumul-fence from x. */
static void cumulate(struct party *p, int thread, int from, int x)
{
	int y;

	for (enum relation r = STRONG; r <= UNLOCK_LOCK; r++)
		all_fenced(p, thread, from, lkmm_row(r, x));
	for_each_bit(y, lkmm_row(RFE, x), lk.words) {
		propagated(p, thread, from, y);
		for (enum relation r = STRONG; r <= RELEASED; r++)
			all_fenced(p, thread, from, lkmm_row(r, y));
	}
}

static void cumulate_all(struct party *p, int thread, int from)
{
	while (xb.nr_chain) {
		int x = xb.chain[--xb.nr_chain];

		if (bit_test(p->fenced, x))
			rmw_sequence(p, thread, from, x);
		if (bit_test(p->cumulated, x))
			continue;
		bit_set(p->cumulated, x);
		cumulate(p, thread, from, x);
	}
}

static void ready(struct party *p)
{
	size_t size = lk.words * sizeof(uint64_t);

	if (p->used)
		return;
	memset(p->begun, 0, size);
	memset(p->fenced, 0, size);
	memset(p->cumulated, 0, size);
	memset(p->done, 0, size);
	p->used = true;
}

/* One step of happens-before or propagation. */
static void step(int x, int source)
{
	int thread = graph_cpu(lk.g, lk.g->ev[x].thread), y;
	struct party *p = &xb.party[x == source ? START : thread];
	int from = x == source ? x : -1;

	ready(p);
	for (enum relation r = FENCE; r <= WMB; r++)
		reach_all(lkmm_row(r, x));
	reach_all(lkmm_row(RFE, x));
	reach_own(lkmm_row(UNLOCK_LOCK, x), thread);
	reach_own(lkmm_row(OVERWRITE, x), thread);
	begin(p, thread, from, x);
	for_each_bit(y, lkmm_row(OVERWRITE, x), lk.words)
		if (!is_of(y, thread))
			begin(p, thread, from, y);
	cumulate_all(p, thread, from);
}

static void begin_walk(void)
{
	memset(xb.reached, 0, lk.words * sizeof(uint64_t));
	for (int t = 0; t <= NR_THREADS; t++)
		xb.party[t].used = false;
	xb.nr = 0;
}

static bool meet(const uint64_t *a, const uint64_t *b)
{
	for (int i = 0; i < lk.words; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

static bool walk(const uint64_t *to)
{
	while (!meet(xb.reached, to)) {
		if (!xb.nr)
			return false;
		step(xb.todo[--xb.nr], -1);
	}
	return true;
}

bool lkmm_lead(const uint64_t *from, const uint64_t *to)
{
	begin_walk();
	reach_all(from);
	return walk(to);
}

bool lkmm_visible(int x, uint64_t *at, const uint64_t *to)
{
	struct party *p = &xb.party[START];

	begin_walk();
	ready(p);
	reach_all(lkmm_row(STRONG, x));
	fenced(p, -1, -1, x);
	for (enum relation r = STRONG; r <= WMB; r++)
		all_fenced(p, -1, -1, lkmm_row(r, x));
	cumulate_all(p, -1, -1);
	memcpy(at, p->done, lk.words * sizeof(uint64_t));
	return walk(to);
}

/* Does x lead to y? */
bool lkmm_leads_to(int x, int y)
{
	begin_walk();
	step(x, x);
	while (xb.nr && !bit_test(xb.reached, y))
		step(xb.todo[--xb.nr], -1);
	return bit_test(xb.reached, y);
}

bool lkmm_consistent(struct graph *g, int a, int b)
{
	bool round_a = graph_leads_back(g, a);
	bool round_b = b >= 0 && graph_leads_back(g, b);

	if (!round_a && !round_b)
		return true;
	grace_looks(g);
	lkmm_relate(g, LINK_ALL);
	return !(round_a && lkmm_leads_to(a, a)) &&
	       !(round_b && lkmm_leads_to(b, b));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * lkmm.c - the kernel's memory model as a test on a graph.
 *
 * After linux-kernel.cat (tools/memory-model; Alglave, Maranget, McKenney, Parri,
 * Stern, ASPLOS 2018) for marked accesses. Coherence and the atomicity of RMWs are
 * kept by the search, so what is left is that happens-before and propagation have
 * no cycle. The search never builds a cycle of program order and reads-from: load
 * buffering is left out. Dependencies are not seen, but for addresses that come from
 * rcu_dereference (depend.c); so either no read is taken to lead to a later write or
 * each is (DEPS_ALL). C11's fences are no barriers of the kernel's: after a release
 * fence each store is a release, and before an acquire fence each load an acquire.
 *
 * RCU is the law that the model's axiom states: of a section and a grace period,
 * either the section ends before the grace period does, or the grace period begins
 * before the section does; whichever it is orders like smp_mb. Who of the two it
 * is can be read off the words of world.c: a grace period that reads what an unlock
 * wrote (or anything after it) comes after that section, and one that reads what
 * was there before a lock comes before that section.
 */
#include "engine.h"

#include <stdlib.h>

/* Relations are rows of successors: rel[x] is the set of y with x rel y. */
enum relation {
	PO,
	RFE,
	OVERWRITE, /* co and fr */
	FENCE,	   /* orders two accesses of one thread */
	STRONG,	   /* smp_mb and what acts like it */
	RELEASED,  /* to a release in program order */
	WMB,
	UNLOCK_LOCK,
	CUMUL, /* cumul-fence*, reflexive */
	PROP,
	HB,
	PB,
	TMP,
	NR_RELATIONS
};

static struct {
	struct graph *g;
	uint64_t events[GRAPH_MAX_EVENTS / 64]; /* those looked at */
	int words, cap;
	uint64_t *rows[NR_RELATIONS];
	uint64_t *thread[NR_THREADS];
	uint64_t *reads, *writes, *accesses;
	uint64_t *sets;
} lk;

static uint64_t *row(enum relation r, int x)
{
	return lk.rows[r] + (size_t)x * lk.words;
}

/* ---- sets and relations -------------------------------------------------------- */

static void clear(enum relation r)
{
	int x;

	for_each_bit(x, lk.events, lk.words)
		memset(row(r, x), 0, lk.words * sizeof(uint64_t));
}

/* lk.events has been filled. */
static void prepare(struct graph *g)
{
	size_t rows = (size_t)g->cap * g->words;

	lk.g = g;
	lk.words = g->words;
	if (lk.cap < g->cap) {
		lk.cap = g->cap;
		for (int r = 0; r < NR_RELATIONS; r++) {
			free(lk.rows[r]);
			lk.rows[r] = malloc(rows * sizeof(uint64_t));
			if (!lk.rows[r])
				abort();
		}
		free(lk.sets);
		lk.sets =
			malloc((NR_THREADS + 3) * g->words * sizeof(uint64_t));
		if (!lk.sets)
			abort();
	}
	for (int r = 0; r < NR_RELATIONS; r++)
		clear(r);
	memset(lk.sets, 0, (NR_THREADS + 3) * g->words * sizeof(uint64_t));
	for (int t = 0; t < NR_THREADS; t++)
		lk.thread[t] = lk.sets + t * g->words;
	lk.reads = lk.sets + NR_THREADS * g->words;
	lk.writes = lk.reads + g->words;
	lk.accesses = lk.writes + g->words;
}

/* to |= a & b */
static void add_common(uint64_t *to, const uint64_t *a, const uint64_t *b)
{
	for (int i = 0; i < lk.words; i++)
		to[i] |= a[i] & b[i];
}

/* out = a ; b (out may be neither) */
static void compose(enum relation out, enum relation a, enum relation b)
{
	int x, y;

	for_each_bit(x, lk.events, lk.words) {
		uint64_t *o = row(out, x);

		memset(o, 0, lk.words * sizeof(uint64_t));
		for_each_bit(y, row(a, x), lk.words)
			bits_or(o, row(b, y), lk.words);
	}
}

static void copy(enum relation to, enum relation from)
{
	int x;

	for_each_bit(x, lk.events, lk.words)
		memcpy(row(to, x), row(from, x), lk.words * sizeof(uint64_t));
}

static void reflexive(enum relation r)
{
	int x;

	for_each_bit(x, lk.events, lk.words)
		bit_set(row(r, x), x);
}

static void transitive(enum relation r)
{
	int x, y;

	for_each_bit(y, lk.events, lk.words)
		for_each_bit(x, lk.events, lk.words)
			if (bit_test(row(r, x), y))
				bits_or(row(r, x), row(r, y), lk.words);
}

static bool cyclic(enum relation r)
{
	int x;

	for_each_bit(x, lk.events, lk.words)
		if (bit_test(row(r, x), x))
			return true;
	return false;
}

/* ---- what one event contributes ------------------------------------------------------ */

/* Also: not "none". */
static bool looked_at(int x)
{
	return x >= 0 && bit_test(lk.events, x);
}

static bool is_access(const struct event *e)
{
	return e->kind == EV_READ || e->kind == EV_WRITE || e->kind == EV_FREE;
}

/* Freeing is an access: what comes before it must come before it. */
static void classify(void)
{
	int x;

	for_each_bit(x, lk.events, lk.words) {
		const struct event *e = &lk.g->ev[x];

		bit_set(lk.thread[e->thread], x);
		if (!is_access(e))
			continue;
		bit_set(lk.accesses, x);
		bit_set(e->kind == EV_READ ? lk.reads : lk.writes, x);
		for (int p = e->prev; p >= 0; p = lk.g->ev[p].prev)
			if (looked_at(p))
				bit_set(row(PO, p), x);
	}
}

static void communication(int x)
{
	const struct event *e = &lk.g->ev[x];
	int place;

	if (e->loc < 0 || e->rf == RF_WAITING)
		return;
	if (e->kind == EV_READ && looked_at(e->rf) &&
	    lk.g->ev[e->rf].thread != e->thread)
		bit_set(row(RFE, e->rf), x);
	place = e->kind == EV_WRITE ? e->rank : graph_rank(lk.g, e->rf);
	if (e->kind == EV_WRITE && !e->rank)
		return; /* not placed yet */
	for (int y = lk.g->loc_head[e->loc]; y >= 0; y = lk.g->ev[y].link)
		if (lk.g->ev[y].kind == EV_WRITE && lk.g->ev[y].rank > place &&
		    y != x && looked_at(y))
			bit_set(row(OVERWRITE, x), y);
}

/* From every access before x in its thread that is in `from`: to those in `to`. */
static void order_around(enum relation r, int x, const uint64_t *from,
			 const uint64_t *to)
{
	for (int p = lk.g->ev[x].prev; p >= 0; p = lk.g->ev[p].prev)
		if (bit_test(from, p))
			add_common(row(r, p), row(PO, x), to);
}

static void fence(int x)
{
	int order = lk.g->ev[x].order;

	if (order & ORDER_MB)
		order_around(STRONG, x, lk.accesses, lk.accesses);
	if (order & ORDER_RMB)
		order_around(FENCE, x, lk.reads, lk.reads);
	if (order & ORDER_WMB)
		order_around(WMB, x, lk.writes, lk.writes);
	if (order & ORDER_RELEASE)
		order_around(RELEASED, x, lk.accesses, lk.writes);
	if (order & ORDER_ACQUIRE)
		order_around(FENCE, x, lk.reads, lk.accesses);
}

/* A full RMW has smp_mb on both sides, if it writes. */
static void full_rmw(int w)
{
	const struct event *e = &lk.g->ev[w];
	int r = e->prev;

	for (int p = lk.g->ev[r].prev; p >= 0; p = lk.g->ev[p].prev) {
		if (!bit_test(lk.accesses, p))
			continue;
		add_common(row(STRONG, p), row(PO, r), lk.accesses);
		bit_set(row(STRONG, p), r);
	}
	order_around(STRONG, w, lk.accesses, lk.accesses);
	add_common(row(STRONG, w), row(PO, w), lk.accesses);
}

/* Creating and joining threads orders everything. */
static void thread_edge(int x)
{
	const uint64_t *before = graph_porf(lk.g, x);
	int p, y;

	for_each_bit(p, before, lk.words) {
		if (!bit_test(lk.accesses, p))
			continue;
		for_each_bit(y, lk.accesses, lk.words)
			if (bit_test(graph_porf(lk.g, y), x))
				bit_set(row(STRONG, p), y);
	}
}

/* po-unlock-lock-po, but for a store before and a load after it. */
static void unlock_lock(int x)
{
	const struct event *e = &lk.g->ev[x];
	int u, y;

	if (e->op != OP_LOCK || e->kind != EV_READ)
		return;
	for_each_bit(u, lk.writes, lk.words) {
		const struct event *f = &lk.g->ev[u];

		if (f->op != OP_UNLOCK ||
		    !(e->rf == u ||
		      (f->thread == e->thread && f->index < e->index)))
			continue;
		for (int p = f->prev; p >= 0; p = lk.g->ev[p].prev)
			for_each_bit(y, row(PO, x), lk.words)
				if (bit_test(lk.accesses, p) &&
				    bit_test(lk.accesses, y) &&
				    !(bit_test(lk.writes, p) &&
				      bit_test(lk.reads, y)))
					bit_set(row(UNLOCK_LOCK, p), y);
	}
}

/* x and what is before it: before y and what is after it. */
static void strong_between(int x, int y)
{
	for (int p = x; p >= 0; p = lk.g->ev[p].prev) {
		if (!bit_test(lk.accesses, p))
			continue;
		bit_set(row(STRONG, p), y);
		add_common(row(STRONG, p), row(PO, y), lk.accesses);
	}
}

/* Section and grace period: see above. x is a read of a grace period. */
static void grace_period(int x)
{
	const struct graph *g = lk.g;
	const struct event *e = &g->ev[x];
	int seen;

	if (e->kind != EV_READ || e->rf == RF_WAITING ||
	    (e->op != OP_RCU_SNAPSHOT && e->op != OP_RCU_WAIT))
		return;
	seen = graph_rank(g, e->rf);
	for (int w = g->loc_head[e->loc]; w >= 0; w = g->ev[w].link) {
		const struct event *f = &g->ev[w];

		if (f->kind != EV_WRITE || !f->rank || !looked_at(w))
			continue;
		if (f->op == OP_RCU_UNLOCK && f->rank <= seen)
			strong_between(w, x);
		if (f->op == OP_RCU_LOCK && f->rank > seen)
			strong_between(x, w);
	}
}

/* The read that gave the address comes before the access. */
static void address(int x)
{
	int index = lk.g->ev[x].through - 1, p = lk.g->ev[x].prev;

	while (p >= 0 && lk.g->ev[p].index > index)
		p = lk.g->ev[p].prev;
	if (looked_at(p))
		bit_set(row(FENCE, p), x);
}

/* An RMW that does not write is no acquire, unless it says so. */
static bool acquires(const struct event *e)
{
	uint64_t unused;

	if (e->rmw != RMW_NONE && !rmw_result(e, e->val, &unused))
		return e->order & ORDER_ACQUIRE_FAILED;
	return e->order & ORDER_ACQUIRE;
}

static void contribute(int x)
{
	const struct event *e = &lk.g->ev[x];

	communication(x);
	grace_period(x);
	unlock_lock(x);
	if (e->kind == EV_FENCE)
		fence(x);
	if (e->kind == EV_CREATE || e->kind == EV_JOIN ||
	    e->kind == EV_JOIN_ALL)
		thread_edge(x);
	if (e->through)
		address(x);
	if (e->kind == EV_READ && acquires(e))
		add_common(row(FENCE, x), row(PO, x), lk.accesses);
	if (e->kind == EV_READ && engine->deps == DEPS_ALL)
		add_common(row(FENCE, x), row(PO, x), lk.writes);
	if (e->kind == EV_WRITE && (e->order & ORDER_RELEASE))
		for (int p = e->prev; p >= 0; p = lk.g->ev[p].prev)
			if (bit_test(lk.accesses, p))
				bit_set(row(RELEASED, p), x);
	if (e->kind == EV_WRITE && (e->flags & EVF_RMW) &&
	    (e->order & ORDER_FULL))
		full_rmw(x);
}

/* ---- the axioms ---------------------------------------------------------------------------- */

/* cumul-fence* = (rfe? ; (strong-fence | po-rel) | wmb | po-unlock-lock-po) ;
 * rmw-sequence, any number of times */
static void cumulate(void)
{
	int x, y;

	copy(TMP, STRONG);
	for_each_bit(x, lk.events, lk.words)
		bits_or(row(TMP, x), row(RELEASED, x), lk.words);
	copy(PROP, RFE);
	reflexive(PROP);
	compose(CUMUL, PROP, TMP);
	for_each_bit(x, lk.events, lk.words) {
		bits_or(row(CUMUL, x), row(WMB, x), lk.words);
		bits_or(row(CUMUL, x), row(UNLOCK_LOCK, x), lk.words);
	}
	/* rmw-sequence = (rf ; rmw)*: from a write to the RMWs chained to it */
	clear(TMP);
	for_each_bit(x, lk.writes, lk.words) {
		const struct event *e = &lk.g->ev[x];

		if (e->kind == EV_WRITE && (e->flags & EVF_RMW)) {
			y = lk.g->ev[e->prev].rf;
			if (looked_at(y))
				bit_set(row(TMP, y), x);
		}
	}
	transitive(TMP);
	reflexive(TMP);
	compose(HB, CUMUL, TMP);
	copy(CUMUL, HB);
	transitive(CUMUL);
	reflexive(CUMUL);
}

/* prop = (overwrite & ext)? ; cumul-fence* ; rfe? */
static void propagate(void)
{
	int x;

	copy(TMP, OVERWRITE);
	for_each_bit(x, lk.events, lk.words)
		for (int i = 0; i < lk.words; i++)
			row(TMP, x)[i] &= ~lk.thread[lk.g->ev[x].thread][i];
	reflexive(TMP);
	compose(HB, TMP, CUMUL);
	copy(TMP, RFE);
	reflexive(TMP);
	compose(PROP, HB, TMP);
}

static bool happens_before(void)
{
	int x;

	for_each_bit(x, lk.events, lk.words) {
		const uint64_t *same = lk.thread[lk.g->ev[x].thread];
		uint64_t *h = row(HB, x);

		memcpy(h, row(FENCE, x), lk.words * sizeof(uint64_t));
		bits_or(h, row(STRONG, x), lk.words);
		bits_or(h, row(RELEASED, x), lk.words);
		bits_or(h, row(WMB, x), lk.words);
		/* these are of one thread only if they are: & int */
		add_common(h, row(UNLOCK_LOCK, x), same);
		add_common(h, row(OVERWRITE, x), same);
		add_common(h, row(PROP, x), same);
		bit_clear(h, x);
		bits_or(h, row(RFE, x), lk.words);
	}
	transitive(HB);
	return !cyclic(HB);
}

/* pb = prop ; strong-fence ; hb* */
static bool propagates(void)
{
	compose(TMP, PROP, STRONG);
	copy(PB, HB);
	reflexive(PB);
	compose(CUMUL, TMP, PB);
	copy(PB, CUMUL);
	transitive(PB);
	return !cyclic(PB);
}

static bool holds(struct graph *g)
{
	int x;

	prepare(g);
	classify();
	for_each_bit(x, lk.events, lk.words)
		contribute(x);
	cumulate();
	propagate();
	return happens_before() && propagates();
}

/* A full RMW orders what is before it even with its read. */
static void keep_rmws_whole(const struct graph *g)
{
	int x;

	for_each_bit(x, g->live, g->words) {
		const struct event *e = &g->ev[x];

		if (e->kind != EV_WRITE || !(e->flags & EVF_RMW) ||
		    (!bit_test(lk.events, x) && !bit_test(lk.events, e->prev)))
			continue;
		bit_set(lk.events, x);
		bit_set(lk.events, e->prev);
	}
}

/* The rest orders nothing that could be part of a cycle. */
bool lkmm_consistent(struct graph *g)
{
	if (!graph_on_cycles(g, lk.events))
		return true;
	keep_rmws_whole(g);
	return holds(g);
}

/* What must have come before what, for those who ask: hb and pb together. */
void lkmm_order(struct graph *g)
{
	int x, y;

	memcpy(lk.events, g->live, g->words * sizeof(uint64_t));
	holds(g);
	for_each_bit(x, lk.events, lk.words)
		bits_or(row(PB, x), row(HB, x), lk.words);
	transitive(PB);
	for_each_bit(x, lk.events, lk.words)
		memset(graph_before(g, x), 0, lk.words * sizeof(uint64_t));
	for_each_bit(x, lk.events, lk.words)
		for_each_bit(y, row(PB, x), lk.words)
			bit_set(graph_before(g, y), x);
}

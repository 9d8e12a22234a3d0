// SPDX-License-Identifier: GPL-2.0-only
/*
 * preserved.c - what of program order linux-kernel.cat keeps, and what grace periods
 * add to it.
 *
 * Events are gone through from the last to the first: each has behind it what its
 * successors have behind them, and what they themselves make of that. Program order
 * goes on in threads that an event creates, and behind the end of its own thread where
 * somebody waits for that; both are full barriers, unless it is an interrupt that comes
 * and returns.
 *
 * RCU is the law of grace.h, as the model's axiom states it: whichever of section and
 * grace period comes first, it orders like smp_mb. A grace period begins with a full
 * barrier and ends with one.
 */
#include "lkmm.h"

static int16_t order[GRAPH_MAX_EVENTS]; /* the last first */
static int nr_order;

static void or_into(uint64_t *to, const uint64_t *from)
{
	bits_or(to, from, lk.words);
}

static void or_common(uint64_t *to, const uint64_t *a, const uint64_t *b)
{
	for (int i = 0; i < lk.words; i++)
		to[i] |= a[i] & b[i];
}

static bool is_thread_edge(const struct event *e)
{
	return (e->kind == EV_CREATE && e->op != OP_IRQ) ||
	       (e->kind == EV_JOIN && e->op != OP_IRET) ||
	       e->kind == EV_JOIN_ALL;
}

/* ---- the order in which to go ------------------------------------------------------ */

int lkmm_predecessors(const struct graph *g, int x, int16_t *list)
{
	const struct event *e = &g->ev[x];
	int n = 0, p = e->prev >= 0 ? e->prev : g->creator[e->thread];

	if (p >= 0)
		list[n++] = p;
	if (e->kind != EV_JOIN && e->kind != EV_JOIN_ALL)
		return n;
	for (int t = 0; t < g->nr_threads; t++) {
		bool joined = e->kind == EV_JOIN ? t == e->peer
						 : t != e->thread;

		if (joined && graph_thread_end(g, t) >= 0)
			list[n++] = graph_thread_end(g, t);
	}
	return n;
}

static void find_order(void)
{
	int16_t left[GRAPH_MAX_EVENTS], before[MAX_PREDECESSORS];
	const struct graph *g = lk.g;
	int x, n;

	memset(left, 0, g->hi * sizeof(*left));
	for_each_bit(x, g->live, lk.words) {
		n = lkmm_predecessors(lk.g, x, before);
		while (n > 0)
			left[before[--n]]++;
	}
	nr_order = 0;
	for_each_bit(x, g->live, lk.words)
		if (!left[x])
			order[nr_order++] = x;
	for (int i = 0; i < nr_order; i++) {
		n = lkmm_predecessors(lk.g, order[i], before);
		while (n > 0)
			if (!--left[before[--n]])
				order[nr_order++] = before[n];
	}
}

/* ---- what an event makes of what is behind it ---------------------------------------- */

/* A full RMW has a barrier on both sides, if it writes. */
static bool is_full_write(const struct event *e)
{
	return e->kind == EV_WRITE && (e->flags & EVF_RMW) &&
	       (e->order & ORDER_FULL);
}

/* Is x a full barrier, or is there one right before it? */
static bool has_barrier(int x)
{
	const struct event *e = &lk.g->ev[x];

	if (e->kind == EV_FENCE)
		return e->order & ORDER_MB;
	if (e->rmw != RMW_NONE && !lkmm_writes(e))
		return e->order & ORDER_MB_FAILED;
	if (e->flags & EVF_RMW)
		return e->kind == EV_READ &&
		       (e->order & (ORDER_MB | ORDER_FULL));
	return e->order & ORDER_MB;
}

/* Into `to`: what is so for those right before x. */
static void seen_past(int x, enum behind b, uint64_t *to)
{
	const struct event *e = &lk.g->ev[x];
	const uint64_t *all = lkmm_behind(BEHIND, x);
	int fence = e->kind == EV_FENCE ? e->order : 0;
	bool barrier = has_barrier(x);

	if (b != IN_GRACE || !(fence & ORDER_MB))
		or_into(to, lkmm_behind(b, x));
	switch (b) {
	case BEHIND:
		if (bit_test(lk.accesses, x))
			bit_set(to, x);
		break;
	case PAST_MB:
		if (barrier || is_thread_edge(e) || is_full_write(e))
			or_into(to, all);
		if (barrier && bit_test(lk.accesses, x))
			bit_set(to, x);
		break;
	case PAST_RMB:
		if (fence & ORDER_RMB)
			or_common(to, all, lk.reads);
		break;
	case PAST_WMB:
		if (fence & ORDER_WMB)
			or_common(to, all, lk.writes);
		break;
	case PAST_ACQUIRE:
		if (fence & ORDER_ACQUIRE)
			or_into(to, all);
		break;
	case RELEASES:
		if (fence & ORDER_RELEASE)
			or_common(to, all, lk.linked_writes);
		if (e->kind == EV_WRITE && (e->order & ORDER_RELEASE))
			bit_set(to, x);
		break;
	case PAST_LOCK:
		if (e->kind == EV_READ && (e->order & ORDER_SPIN) &&
		    lkmm_writes(e))
			or_into(to, all);
		break;
	case PAST_UNLOCK:
		if (e->kind == EV_WRITE && e->op == OP_UNLOCK &&
		    (e->order & ORDER_SPIN)) {
			or_into(to, lkmm_behind(PAST_LOCK, x));
			or_into(to, lkmm_behind(NEXT_OWNER, x));
		}
		break;
	case PAST_SECTION:
		if (fence & ORDER_MB)
			or_into(to, lkmm_behind(IN_GRACE, x));
		break;
	default:
		break;
	}
}

/* Those from `from` to `to`, which must not depend on later ones. */
static void go_back(enum behind from, enum behind to)
{
	int16_t before[MAX_PREDECESSORS];

	for (int i = 0; i < nr_order; i++) {
		int n = lkmm_predecessors(lk.g, order[i], before);

		while (n > 0) {
			int p = before[--n];

			for (enum behind b = from; b <= to; b++)
				seen_past(order[i], b, lkmm_behind(b, p));
		}
	}
}

/* ---- other threads' part ----------------------------------------------------------------- */

/* Who takes lock u next: as if it were the same thread. */
static void next_owner(int u)
{
	const struct graph *g = lk.g;

	for (int x = g->loc_head[g->ev[u].loc]; x >= 0; x = g->ev[x].link) {
		const struct event *e = &g->ev[x];

		if (e->kind == EV_READ && e->rf == u &&
		    (e->order & ORDER_SPIN) && lkmm_writes(e))
			or_into(lkmm_behind(NEXT_OWNER, u),
				lkmm_behind(BEHIND, x));
	}
}

/* Section w ends: which grace periods end after it? What is behind those is. */
static void section_ends(int w)
{
	const struct graph *g = lk.g;
	const struct event *f = &g->ev[w];

	for (int x = g->loc_head[f->loc]; f->rank && x >= 0;
	     x = g->ev[x].link) {
		if (g->ev[x].op == OP_RCU_SNAPSHOT && grace.last[x] >= f->rank)
			or_into(lkmm_behind(PAST_SECTION, w),
				lkmm_behind(PAST_MB, x));
	}
}

/* A grace period's first look at a word: which sections begin after it began? */
static void grace_begins(int x)
{
	const struct graph *g = lk.g;
	const struct event *e = &g->ev[x];

	for (int w = g->loc_head[e->loc]; w >= 0; w = g->ev[w].link) {
		const struct event *f = &g->ev[w];

		if (f->kind == EV_WRITE && f->op == OP_RCU_LOCK &&
		    f->rank > grace.first[x])
			or_into(lkmm_behind(IN_GRACE, x),
				lkmm_behind(BEHIND, w));
	}
}

static void from_others(int x)
{
	const struct event *e = &lk.g->ev[x];

	if (e->loc < 0)
		return;
	if (e->kind == EV_WRITE && e->op == OP_UNLOCK &&
	    (e->order & ORDER_SPIN))
		next_owner(x);
	if (e->kind == EV_WRITE && e->op == OP_RCU_UNLOCK)
		section_ends(x);
	if (e->op == OP_RCU_SNAPSHOT && grace.first[x] >= 0)
		grace_begins(x);
}

/* ---- relations -------------------------------------------------------------------------- */

/* An RMW that does not write is no acquire, unless it says so. */
static bool acquires(const struct event *e)
{
	if (e->rmw != RMW_NONE && !lkmm_writes(e))
		return e->order & ORDER_ACQUIRE_FAILED;
	return e->order & ORDER_ACQUIRE;
}

/* The read that gave the address comes before the access. */
static void address(int x)
{
	int index = lk.g->ev[x].through - 1, p = lk.g->ev[x].prev;

	while (p >= 0 && lk.g->ev[p].index > index)
		p = lk.g->ev[p].prev;
	if (p < 0)
		return;
	bit_set(lkmm_row(FENCE, p), x);
	/* a plain write there carries that on to those behind an smp_wmb */
	or_into(lkmm_row(FENCE, p), lkmm_row(WMB, x));
}

static void strong(int x)
{
	const struct event *e = &lk.g->ev[x];
	uint64_t *to = lkmm_row(STRONG, x);

	or_into(to, lkmm_behind(PAST_MB, x));
	or_into(to, lkmm_behind(PAST_SECTION, x));
	if (is_full_write(e))
		or_into(to, lkmm_behind(BEHIND, x));
	if (e->op == OP_RCU_SNAPSHOT)
		or_into(to, lkmm_behind(IN_GRACE, x));
	if (e->kind == EV_FENCE)
		or_into(to, lkmm_behind(BEHIND, x));
}

static void of_read(int x)
{
	const struct event *e = &lk.g->ev[x];
	uint64_t *to = lkmm_row(FENCE, x);

	or_into(to, lkmm_behind(PAST_RMB, x));
	or_into(lkmm_row(UNLOCK_LOCK, x), lkmm_behind(PAST_UNLOCK, x));
	if (!bit_test(lk.links, x))
		return;
	or_into(to, lkmm_behind(PAST_ACQUIRE, x));
	if (acquires(e))
		or_into(to, lkmm_behind(BEHIND, x));
	else if (engine->deps == DEPS_ALL)
		or_common(to, lkmm_behind(BEHIND, x), lk.linked_writes);
}

/* Not before a load that is behind an unlock and a lock. */
static void of_write(int x)
{
	or_into(lkmm_row(WMB, x), lkmm_behind(PAST_WMB, x));
	or_common(lkmm_row(UNLOCK_LOCK, x), lkmm_behind(PAST_UNLOCK, x),
		  lk.writes);
}

void lkmm_preserved(void)
{
	int x;

	find_order();
	go_back(BEHIND, PAST_LOCK);
	for (int i = 0; i < nr_order; i++)
		from_others(order[i]);
	go_back(PAST_UNLOCK, PAST_SECTION);
	for_each_bit(x, lk.accesses, lk.words) {
		strong(x);
		or_into(lkmm_row(RELEASED, x), lkmm_behind(RELEASES, x));
		if (bit_test(lk.reads, x))
			of_read(x);
		if (bit_test(lk.writes, x))
			of_write(x);
		if (lk.g->ev[x].through)
			address(x);
	}
}

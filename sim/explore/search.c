// SPDX-License-Identifier: GPL-2.0-only
/*
 * search.c - visit every execution graph once.
 *
 * After TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022). Events
 * are added one at a time, in an order that is a function of the graph. A new
 * read tries every write it may read from, a new write every place in coherence
 * order. A new write also revisits earlier reads of its location that do not lead
 * to it: what was added after such a read and does not lead to the write is
 * removed, and the read made to read from the write - but only if the read and all
 * that is removed had been added in the one canonical way (reading, or being, the
 * latest), so that each result is reached once.
 *
 * An await is a read whose thread goes no further while its condition fails. It is
 * not added until the latest write satisfies it, or nothing else can move; then
 * what it may have read before is tried, and it waits, without a source, until a
 * write that satisfies it is the latest. Being served so is not a choice (only who
 * of several RMWs is served is), and counts from then: `served` takes the place of
 * the stamp. A write that makes a satisfied await wait is pinned by it, that is,
 * never removed while the await stands: that it was passed over was no canonical
 * way to add it. So no run ends with an await that should have read something.
 *
 * That is right for the words of locks, timers, sections and sleepers, where every
 * write depends on the one before and whoever waits takes the word himself. If a
 * program awaits any other word (a loop that reads), its awaits are slow: they read
 * the latest write even if that does not satisfy them, like any read, and are
 * revisited like any read. A run that ends with such an await on a write that is
 * not the latest is no execution: it is counted as blocked.
 */
#include "ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct search {
	struct graph **stack;
	int nr, cap;
	struct graph *main, *removed, *scratch; /* removed: of a revisit */
	uint64_t deadline_check;
};

static struct search *search;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- the stack of graphs still to follow ------------------------------------------ */

static struct graph *top(void)
{
	if (search->nr == search->cap) {
		search->cap = search->cap ? 2 * search->cap : 64;
		search->stack = realloc(search->stack,
					search->cap * sizeof(*search->stack));
		if (!search->stack)
			abort();
		memset(search->stack + search->nr, 0,
		       (search->cap - search->nr) * sizeof(*search->stack));
	}
	if (!search->stack[search->nr])
		search->stack[search->nr] = graph_new(engine->cap,
						      engine->nr_loc);
	if (!search->stack[search->nr])
		abort();
	return search->stack[search->nr];
}

static void keep(void)
{
	search->nr++;
}

static void drop_graphs(void)
{
	for (int i = 0; i < search->cap; i++) {
		graph_free(search->stack[i]);
		search->stack[i] = NULL;
	}
	graph_free(search->main);
	graph_free(search->removed);
	graph_free(search->scratch);
	search->nr = 0;
	search->main = graph_new(engine->cap, engine->nr_loc);
	search->removed = graph_new(engine->cap, engine->nr_loc);
	search->scratch = graph_new(engine->cap, engine->nr_loc);
	if (!search->main || !search->removed || !search->scratch)
		abort();
	engine->g = search->main;
}

static int add(struct graph *g, const struct event *e)
{
	int a = graph_add(g, engine->model, e);

	if (a >= 0)
		return a;
	if (engine->cap >= GRAPH_MAX_EVENTS) {
		engine->stop = STOP_VIOLATION;
		engine->res.finding = FIND_UNSUPPORTED;
		snprintf(
			engine->res.message, sizeof(engine->res.message),
			"an execution has more than %d events on shared memory",
			GRAPH_MAX_EVENTS);
	} else {
		engine->cap *= 2;
		engine->stop = STOP_RESTART;
	}
	return -1;
}

static uint64_t value_at(const struct graph *g, const struct event *e, int w)
{
	uint64_t v = graph_value(g, e->loc, engine->loc[e->loc].size, w,
				 memory_initial(e->loc));

	return v >> (e->off * 8) & size_mask(e->size);
}

/* ---- revisits ------------------------------------------------------------------------- */

/* Is the write after list[k] the write half of an RMW that reads list[k]? */
static bool splits_rmw(const struct graph *g, const int16_t *list, int n, int k)
{
	return k < n && (g->ev[list[k + 1]].flags & EVF_RMW);
}

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

/* Await r waits from now on, passed over by write a. */
static bool make_wait(struct graph *g, int r, int a)
{
	struct event *w = &g->ev[a];

	if (w->nr_pins == MAX_PINS) {
		engine->stop = STOP_VIOLATION;
		engine->res.finding = FIND_UNSUPPORTED;
		snprintf(engine->res.message, sizeof(engine->res.message),
			 "one write makes more than %d threads wait again",
			 MAX_PINS);
		return false;
	}
	w->pins[w->nr_pins++] = (struct pin){ g->ev[r].thread, g->ev[r].index };
	graph_unset_rf(g, r);
	return true;
}

bool search_passed_over(int slot)
{
	struct graph *g = engine->g;
	const struct event *e = &g->ev[slot];
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(g, e->loc, list);

	if (engine->slow_awaits)
		return true;
	return e->rf >= 0 && g->ev[e->rf].rank == n &&
	       make_wait(g, slot, e->rf);
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

		if (splits_rmw(h, list, n, k))
			continue;
		c = top();
		graph_copy(c, h);
		graph_shift(c, a, list, n, k);
		if (graph_floor(c, r) > c->ev[a].rank ||
		    !graph_check(c, engine->model))
			continue;
		/* a plain store's value is not known yet: see follow() */
		if ((c->ev[r].flags & EVF_AWAIT) &&
		    !(c->ev[a].flags & EVF_LATE) &&
		    !condition_holds(&c->ev[r], value_at(c, &c->ev[r], a))) {
			if (k < n ||
			    (!engine->slow_awaits && !make_wait(c, r, a)))
				continue;
		}
		keep();
	}
}

static void revisit_all(struct graph *g, int a)
{
	for (int r = g->loc_head[g->ev[a].loc]; r >= 0; r = g->ev[r].link)
		if (g->ev[r].kind == EV_READ && g->ev[r].rf != RF_WAITING &&
		    !bit_test(graph_porf(g, a), r))
			revisit(g, a, r);
}

/* ---- adding events ------------------------------------------------------------------------ */

/*
 * A new RMW reads a write that another RMW has taken: inconsistent as it stands,
 * but its write may make the other one read from it.
 */
static void doomed_rmw(const struct graph *from, int r)
{
	struct graph *g = search->scratch;
	struct event w;
	int a;

	graph_copy(g, from);
	w = g->ev[r];
	w.kind = EV_WRITE;
	w.flags = (w.flags & EVF_DAEMON) | EVF_RMW;
	if (!rmw_result(&g->ev[r], g->ev[r].val, &w.val))
		return;
	a = add(g, &w);
	if (a >= 0)
		revisit_all(g, a);
}

static void take_read(int n, const struct event *proto)
{
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int a = add(g, proto), last, lo;
	struct event *e = &g->ev[a];

	if (a < 0)
		return;
	last = graph_co(g, e->loc, list);
	lo = graph_floor(g, a);
	for (int k = last - 1; k >= lo; k--) {
		uint64_t v = value_at(g, e, list[k]);
		struct graph *c;

		if ((e->flags & EVF_AWAIT) && !condition_holds(e, v))
			continue;
		if (!graph_read_ok(g, engine->model, a, list[k + 1]))
			continue;
		c = top();
		graph_copy(c, g);
		graph_set_rf(c, engine->model, a, list[k], list[k + 1]);
		c->ev[a].val = v;
		if (engine->model == GRAPH_LKMM && !lkmm_check(c))
			continue;
		if ((e->flags & EVF_RMW) && splits_rmw(g, list, last, k)) {
			uint64_t unused;

			if (rmw_result(e, v, &unused)) {
				doomed_rmw(c, a);
				continue;
			}
		}
		keep();
	}
	e->val = value_at(g, e, list[last]);
	if ((e->flags & EVF_AWAIT) && !condition_holds(e, e->val)) {
		engine->t[n].state = THREAD_BLOCKED;
		engine->t[n].await = a;
		if (!engine->slow_awaits) {
			e->rf = RF_WAITING;
			return;
		}
	}
	graph_set_rf(g, engine->model, a, list[last], -1);
}

/* c becomes g with a right after list[k]; false if that is inconsistent. */
static bool place(struct graph *c, const struct graph *g, int a,
		  const int16_t *list, int n, int k)
{
	if (engine->model != GRAPH_LKMM && !graph_place_ok(g, a, list, n, k))
		return false;
	graph_copy(c, g);
	if (engine->model != GRAPH_LKMM) {
		graph_place(c, a, list, n, k);
		return true;
	}
	graph_shift(c, a, list, n, k);
	return lkmm_check(c);
}

/* Always consistent: nothing is after it. */
static void put_latest(struct graph *g, int a, const int16_t *list, int n)
{
	if (engine->model == GRAPH_LKMM)
		graph_shift(g, a, list, n, n);
	else
		graph_place(g, a, list, n, n);
}

static void note_chain(const struct graph *g, int a, int latest)
{
	struct location *l = &engine->loc[g->ev[a].loc];

	if (latest >= 0 && !bit_test(graph_porf(g, a), latest))
		l->unchained = true;
	if (!l->awaited || !l->unchained || engine->slow_awaits)
		return;
	engine->slow_awaits = true;
	engine->stop = STOP_RESTART;
}

static void take_write(const struct event *proto)
{
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int a = add(g, proto), n, lo, hi;
	struct event *e = &g->ev[a];

	if (a < 0)
		return;
	n = graph_co(g, e->loc, list);
	note_chain(g, a, list[n]);
	if (engine->stop)
		return;
	revisit_all(g, a);
	lo = graph_floor(g, a);
	hi = n;
	if (e->flags & EVF_RMW)
		lo = hi = graph_rank(g, g->ev[e->prev].rf);
	for (int k = lo; k < hi; k++) {
		struct graph *c;

		if (splits_rmw(g, list, n, k))
			continue;
		c = top();
		if (place(c, g, a, list, n, k))
			keep();
	}
	if (hi == n) {
		put_latest(g, a, list, n);
	} else if (splits_rmw(g, list, n, hi) ||
		   !place(search->scratch, g, a, list, n, hi)) {
		engine->stop = STOP_DEAD;
	} else {
		graph_copy(g, search->scratch);
	}
}

static void take(int n)
{
	struct thread *t = &engine->t[n];
	struct event e = t->pending.ev;
	int a;

	switch (e.kind) {
	case EV_READ:
		take_read(n, &e);
		break;
	case EV_WRITE:
		take_write(&e);
		break;
	case EV_CREATE:
		e.peer = runtime_new_thread(n);
		if (e.peer < 0) {
			engine->stop = STOP_VIOLATION;
			engine->res.finding = FIND_UNSUPPORTED;
			snprintf(engine->res.message,
				 sizeof(engine->res.message),
				 "more than %d threads, timers and callbacks",
				 NR_THREADS);
			return;
		}
		a = add(engine->g, &e);
		if (a >= 0)
			engine->g->creator[e.peer] = a;
		break;
	default:
		add(engine->g, &e);
	}
	if (engine->stop)
		return;
	a = engine->g->last[n];
	runtime_taken(n);
	if (t->state != THREAD_BLOCKED)
		runtime_answer(n, e.kind == EV_CREATE ? (uint64_t)e.peer
						      : engine->g->ev[a].val);
	runtime_check_free(a);
}

/* ---- which thread moves: a function of the graph ----------------------------------------- */

static bool satisfied_by_latest(const struct event *e)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int n = graph_co(engine->g, e->loc, list);

	return condition_holds(e, value_at(engine->g, e, list[n]));
}

/* Next thread after `after` whose waiting await the latest write satisfies. */
static int next_served(int after, int loc)
{
	for (int i = after + 1; i < NR_THREADS; i++) {
		const struct thread *t = &engine->t[i];
		const struct event *e;

		if (t->state != THREAD_BLOCKED || t->await < 0)
			continue;
		e = &engine->g->ev[t->await];
		if (e->rf != RF_WAITING)
			continue;
		if ((loc < 0 || e->loc == loc) && satisfied_by_latest(e))
			return i;
	}
	return -1;
}

static void set_served(struct graph *g, int slot)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	struct event *e = &g->ev[slot];
	int n = graph_co(g, e->loc, list);

	e->val = value_at(g, e, list[n]);
	e->served = ++g->stamp;
	graph_set_rf(g, engine->model, slot, list[n], -1);
}

/* Awaits that only read are served before RMWs, of which one gets the write. */
static bool serve(void)
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
			struct graph *c = top();

			graph_copy(c, engine->g);
			set_served(c, engine->t[i].await);
			keep();
		}
	e = &engine->g->ev[engine->t[n].await];
	set_served(engine->g, engine->t[n].await);
	engine->t[n].await = -1;
	runtime_answer(n, e->val);
	runtime_check_free(e - engine->g->ev);
	return true;
}

static int pick(void)
{
	int first = -1, waiting = -1;

	for (int i = 0; i < NR_THREADS; i++) {
		const struct event *e = &engine->t[i].pending.ev;

		if (engine->t[i].state != THREAD_PENDING || first >= 0)
			continue;
		if (e->kind == EV_JOIN &&
		    engine->t[e->peer].state != THREAD_DONE)
			continue;
		if (e->kind == EV_JOIN_ALL && !runtime_others_over(i))
			continue;
		if ((e->flags & EVF_AWAIT) && !satisfied_by_latest(e)) {
			if (waiting < 0)
				waiting = i;
			continue;
		}
		first = i;
	}
	return first >= 0 ? first : waiting;
}

/* The write half of an RMW follows its read at once. */
static int owed_write(void)
{
	for (int i = 0; i < NR_THREADS; i++) {
		const struct event *e = &engine->t[i].pending.ev;

		if (engine->t[i].state == THREAD_PENDING &&
		    e->kind == EV_WRITE && (e->flags & EVF_RMW))
			return i;
	}
	return -1;
}

/* One step; what it is depends on the graph alone. False: nothing can move. */
static bool advance(void)
{
	int n = owed_write();

	if (n < 0 && serve())
		return true;
	if (n < 0)
		n = pick();
	if (n < 0)
		return false;
	take(n);
	return true;
}

/* ---- one run, and what it amounts to --------------------------------------------------------- */

static bool await_is_stale(int n)
{
	const struct event *e;
	int16_t list[GRAPH_MAX_EVENTS + 1];

	if (engine->t[n].await < 0)
		return false;
	e = &engine->g->ev[engine->t[n].await];
	return e->rf != RF_WAITING && graph_rank(engine->g, e->rf) !=
					      graph_co(engine->g, e->loc, list);
}

/* The run came to rest: an execution, a deadlock, or nothing. */
static void classify(void)
{
	bool all_over = true, no_execution = false;

	for (int i = 0; i < NR_THREADS; i++) {
		const struct thread *t = &engine->t[i];

		if (t->state == THREAD_UNUSED || t->state == THREAD_DONE)
			continue;
		no_execution |= t->assumed || await_is_stale(i);
		all_over &= t->daemon;
	}
	if (no_execution) {
		engine->res.blocked++;
		return;
	}
	races_look();
	if (engine->stop)
		return;
	if (all_over && leak_look())
		return;
	if (engine->on_complete)
		engine->on_complete(!all_over);
	if (engine->on_complete || all_over)
		engine->res.executions++;
	else
		runtime_deadlock();
}

static void check_all_frees(void)
{
	int x;

	for_each_bit(x, engine->g->live, engine->g->words)
		if (engine->g->ev[x].kind == EV_FREE)
			runtime_check_free(x);
}

static void run(void)
{
	runtime_begin_run();
	runtime_settle();
	if (!engine->stop)
		check_all_frees();
	while (!engine->stop && advance())
		if (!engine->stop)
			runtime_settle();
	if (!engine->stop)
		classify();
	else if (engine->stop == STOP_DEAD)
		engine->res.blocked++;
}

/* Once more, over the graph that failed, with call stacks. */
static void record_violation(struct explore_result *out)
{
	struct explore_result saved = engine->res;

	engine->recording = true;
	runtime_begin_run();
	runtime_settle();
	engine->recording = false;
	engine->res = saved;
	linearise(engine->g, out);
	ledger_explain();
}

static bool out_of_budget(const struct explore_options *opt, double start)
{
	if (opt->max_executions &&
	    engine->res.executions >= opt->max_executions)
		return true;
	if (++search->deadline_check % 256)
		return false;
	engine->res.seconds = now() - start;
	if (opt->progress)
		opt->progress(&engine->res, opt->progress_arg);
	return opt->max_seconds > 0 && engine->res.seconds > opt->max_seconds;
}

int search_init(void)
{
	search = calloc(1, sizeof(*search));
	return search ? 0 : -ENOMEM;
}

static void begin_again(void)
{
	engine->res.executions = engine->res.blocked = 0;
	drop_graphs();
	graph_clear(top());
	keep();
}

/* Follow graphs until none is left, something is found, or the budget spent. */
static void search_all(const struct explore_options *opt, double start)
{
	struct explore_result *r = &engine->res;

	begin_again();
	r->verdict = EXPLORE_HOLDS;
	while (search->nr) {
		if (out_of_budget(opt, start)) {
			r->verdict = EXPLORE_UNDECIDED;
			break;
		}
		graph_copy(engine->g, search->stack[--search->nr]);
		run();
		if (engine->stop == STOP_RESTART) {
			r->restarts++;
			begin_again();
		} else if (engine->stop == STOP_VIOLATION) {
			r->verdict = r->finding == FIND_UNSUPPORTED
					     ? EXPLORE_REFUSED
					     : EXPLORE_VIOLATED;
			record_violation(r);
			break;
		}
	}
}

/* Nothing else was found: the executions up to one that closes a cycle. */
static void search_for_cycle(const struct explore_options *opt, double start)
{
	struct explore_result *r = &engine->res;
	uint64_t executions = r->executions, blocked = r->blocked;
	enum explore_verdict verdict = r->verdict;

	ledger_be_strict(true);
	search_all(opt, start);
	if (r->verdict != EXPLORE_VIOLATED)
		r->verdict = verdict;
	r->executions = executions;
	r->blocked = blocked;
}

void explore_run(const struct explore_options *opt, struct explore_result *out)
{
	struct explore_result *r = &engine->res;
	double start = now();

	memset(r, 0, sizeof(*r));
	r->thread = -1;
	engine->model = opt->memory == MEMORY_LKMM  ? GRAPH_LKMM
			: opt->memory == MEMORY_TSO ? GRAPH_TSO
						    : GRAPH_SC;
	order_forget();
	ledger_be_strict(false);
	engine->mode = RUN_SEQUENTIAL;
	if (!seq_discover()) {
		r->verdict = EXPLORE_REFUSED;
		r->seconds = now() - start;
		engine->mode = RUN_OFF;
		*out = *r;
		return;
	}
	engine->mode = RUN_SEARCH;
	races_begin(opt);
	search_all(opt, start);
	/* who is told of deadlocks need not be told of those to be feared */
	if (order_has_cycle() && !engine->on_complete &&
	    r->verdict != EXPLORE_VIOLATED && r->verdict != EXPLORE_REFUSED)
		search_for_cycle(opt, start);
	r->seconds = now() - start;
	memory_reset();
	engine->mode = RUN_OFF;
	*out = *r;
}

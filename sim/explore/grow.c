// SPDX-License-Identifier: GPL-2.0-only
/*
 * grow.c - the next event, a function of the graph, and every way to add it.
 */
#include "cpu.h"
#include "search.h"

#include <stdio.h>

int grow_add(struct graph *g, const struct event *e)
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

uint64_t grow_value(const struct graph *g, const struct event *e, int w)
{
	uint64_t v = graph_value(g, e->loc, engine->loc[e->loc].size, w,
				 memory_initial(e->loc));

	return v >> (e->off * 8) & size_mask(e->size);
}

/* Is the write after list[k] the write half of an RMW that reads list[k]? */
bool grow_splits_rmw(const struct graph *g, const int16_t *list, int n, int k)
{
	return k < n && (g->ev[list[k + 1]].flags & EVF_RMW);
}

/* ---- adding events ------------------------------------------------------------------------ */

void grow_doomed(const struct graph *from, int r)
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
	a = grow_add(g, &w);
	if (a >= 0)
		revisit_all(g, a);
}

static void take_read(int n, const struct event *proto)
{
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int a = grow_add(g, proto), last, lo;
	struct event *e = &g->ev[a];

	if (a < 0)
		return;
	last = graph_co(g, e->loc, list);
	lo = graph_floor(g, a);
	for (int k = last - 1; k >= lo; k--) {
		uint64_t v = grow_value(g, e, list[k]);
		struct graph *c;

		if ((e->flags & EVF_AWAIT) && !condition_holds(e, v))
			continue;
		if (witness_is_later(g, engine->model, a, list[k], k > lo))
			continue;
		if (!graph_read_ok(g, engine->model, a, list[k + 1]))
			continue;
		c = frontier_top();
		graph_copy(c, g);
		graph_set_rf(c, engine->model, a, list[k], list[k + 1]);
		c->ev[a].val = v;
		if (engine->model == GRAPH_LKMM && !lkmm_consistent(c, a, -1))
			continue;
		if ((e->flags & EVF_RMW) && grow_splits_rmw(g, list, last, k)) {
			uint64_t unused;

			if (rmw_result(e, v, &unused)) {
				grow_doomed(c, a);
				continue;
			}
		}
		frontier_keep();
	}
	e->val = grow_value(g, e, list[last]);
	if ((e->flags & EVF_AWAIT) && !condition_holds(e, e->val)) {
		engine->t[n].state = THREAD_BLOCKED;
		engine->t[n].await = a;
		if (!await_is_slow(e)) {
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
	if (engine->model != GRAPH_LKMM &&
	    !graph_place_ok(g, engine->model, a, list, n, k))
		return false;
	graph_copy(c, g);
	if (engine->model != GRAPH_LKMM) {
		graph_place(c, engine->model, a, list, n, k);
		return true;
	}
	graph_shift(c, a, list, n, k);
	return lkmm_consistent(c, a,
			       c->ev[a].flags & EVF_RMW ? c->ev[a].prev : -1);
}

/* Always consistent: nothing is after it. */
static void put_latest(struct graph *g, int a, const int16_t *list, int n)
{
	if (engine->model == GRAPH_LKMM)
		graph_shift(g, a, list, n, n);
	else
		graph_place(g, engine->model, a, list, n, n);
}

static void take_write(const struct event *proto)
{
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int a = grow_add(g, proto), n, lo, hi;
	struct event *e = &g->ev[a];

	if (a < 0)
		return;
	n = graph_co(g, e->loc, list);
	await_note_write(g, a, list[n]);
	if (engine->stop)
		return;
	revisit_all(g, a);
	lo = graph_floor(g, a);
	hi = n;
	if (e->flags & EVF_RMW)
		lo = hi = graph_rank(g, g->ev[e->prev].rf);
	for (int k = lo; k < hi; k++) {
		struct graph *c;

		if (grow_splits_rmw(g, list, n, k))
			continue;
		c = frontier_top();
		if (place(c, g, a, list, n, k))
			frontier_keep();
	}
	if (hi == n) {
		put_latest(g, a, list, n);
	} else if (grow_splits_rmw(g, list, n, hi) ||
		   !place(search->scratch, g, a, list, n, hi)) {
		engine->stop = STOP_DEAD;
	} else {
		graph_copy(g, search->scratch);
	}
}

/* Failures and early wake-ups: an execution has only so many. */
static bool one_more(const struct graph *g, unsigned int op)
{
	unsigned int left = op == OP_ALLOC ? engine->alloc_failures
					   : engine->early_wakeups;
	int x;

	for_each_bit(x, g->live, g->words)
		left -= left && g->ev[x].op == op && g->ev[x].val;
	engine->res.few_wakeups |= op == OP_WAKEUP && !left;
	return left;
}

/* Nothing depends on it but its thread: every way is one. */
static void take_choice(const struct event *proto)
{
	struct graph *g = engine->g;
	bool free = proto->op == OP_CHOOSE || one_more(g, proto->op);
	uint64_t ways = free ? proto->operand : 1;
	int a = grow_add(g, proto);

	if (a < 0)
		return;
	while (--ways > 0) {
		struct graph *c = frontier_top();

		graph_copy(c, g);
		c->ev[a].val = ways;
		frontier_keep();
	}
}

int grow_interrupt(struct graph *g, int n, int h, bool late)
{
	struct event e = engine->t[h].pending.ev;
	int a;

	e.thread = n;
	e.peer = h;
	e.val = late;
	if (engine->t[n].daemon)
		e.flags |= EVF_DAEMON;
	a = grow_add(g, &e);
	if (a >= 0)
		g->creator[h] = a;
	return a;
}

/*
 * Each handler may come to the CPU of thread n right now, before what n is about to
 * do. The canonical way is that none does, until the thread can do nothing else (an
 * await is only taken when nobody can). False: n goes on.
 */
static bool take_interrupts(int n)
{
	const struct event *e = &engine->t[n].pending.ev;
	bool over = e->op == OP_IDLE ||
		    ((e->flags & EVF_AWAIT) && !await_satisfied_by_latest(e));
	int due = -1;

	for (int h = cpu_next(n, -1); h >= 0; h = cpu_next(n, h)) {
		struct graph *c;

		if (over && due < 0 && engine->t[h].due) {
			due = h;
			continue;
		}
		c = frontier_top();
		graph_copy(c, engine->g);
		if (grow_interrupt(c, n, h, true) < 0)
			return true;
		frontier_keep();
	}
	if (due < 0)
		return false;
	if (grow_interrupt(engine->g, n, due, false) >= 0)
		runtime_interrupt(n, due, engine->g->last[n]);
	return true;
}

static void take(int n)
{
	struct thread *t = &engine->t[n];
	struct event e = t->pending.ev;
	int a;

	if (take_interrupts(n))
		return;
	switch (e.kind) {
	case EV_READ:
		take_read(n, &e);
		break;
	case EV_WRITE:
		take_write(&e);
		break;
	case EV_CHOOSE:
		take_choice(&e);
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
		a = grow_add(engine->g, &e);
		if (a >= 0)
			engine->g->creator[e.peer] = a;
		break;
	default:
		grow_add(engine->g, &e);
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

/* What thread n is about to do can be done; awaits: if the latest write lets them. */
static bool can_move(int n)
{
	const struct event *e = &engine->t[n].pending.ev;

	return runtime_joined(n, e) &&
	       (!(e->flags & EVF_AWAIT) || await_satisfied_by_latest(e));
}

/* Awaits come last: when nobody else can move, few writes are left to be missed. */
static int pick(void)
{
	int served = -1, waiting = -1;

	for (int i = 0; i < engine_threads(); i++) {
		bool await = engine->t[i].pending.ev.flags & EVF_AWAIT;

		if (engine->t[i].state != THREAD_PENDING)
			continue;
		if (can_move(i)) {
			if (!await)
				return i;
			if (served < 0)
				served = i;
		} else if (await && waiting < 0) {
			waiting = i;
		}
	}
	return served >= 0 ? served : waiting;
}

/* The write half of an RMW follows its read at once. */
static int owed_write(void)
{
	for (int i = 0; i < engine_threads(); i++) {
		const struct event *e = &engine->t[i].pending.ev;

		if (engine->t[i].state == THREAD_PENDING &&
		    e->kind == EV_WRITE && (e->flags & EVF_RMW))
			return i;
	}
	return -1;
}

bool grow(void)
{
	int n = owed_write();

	if (n < 0 && await_serve())
		return true;
	if (n < 0)
		n = pick();
	if (n < 0)
		return false;
	take(n);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * guided.c - one run on an execution graph, as a chooser decides.
 *
 * What weaker memory does cannot be seen on real memory. So the run builds a graph,
 * like a step of the search, but with one way to go: the chooser says which thread
 * moves, which write a read reads, and before which earlier writes a new one comes.
 * Without a word from it, a read reads the latest write and a write is the latest.
 * What the memory model does not allow ends the run.
 *
 * What is shared is learned from nothing, as in a new process, so that the run is
 * the same in every one; whenever more is found, it begins again.
 */
#include "cpu.h"
#include "ledger.h"
#include "search.h"

#include <limits.h>
#include <stdlib.h>

struct guide {
	const struct explore_chooser *c;
	struct explore_result *out;
	int step[GRAPH_MAX_EVENTS]; /* per slot: index of its step, or -1 */
	struct explore_write co[GRAPH_MAX_EVENTS + 1];
};

/* ---- what there is to choose from ------------------------------------------------ */

/* How many of list[1..k] are writes of the same bytes by the thread of list[k]. */
static unsigned int number_of(const int16_t *list, int k)
{
	const struct event *ev = engine->g->ev, *w = &ev[list[k]];
	unsigned int n = 0;

	for (int x = engine->g->loc_head[w->loc]; x >= 0; x = ev[x].link)
		n += ev[x].kind == EV_WRITE && ev[x].rank &&
		     ev[x].thread == w->thread && ev[x].addr == w->addr &&
		     ev[x].size == w->size && ev[x].index <= w->index;
	return n;
}

/* Fill list and guide->co; returns the number of writes. */
static int writes_of(struct guide *guide, int loc, int16_t *list)
{
	int n = graph_co(engine->g, loc, list);

	guide->co[0] = (struct explore_write){ .thread = -1 };
	for (int k = 1; k <= n; k++) {
		const struct event *w = &engine->g->ev[list[k]];

		guide->co[k] = (struct explore_write){ w->thread,
						       number_of(list, k),
						       w->addr, w->size };
	}
	return n;
}

/* Which write the pending read of thread n reads: place in list, or -1. */
static int source_of(struct guide *guide, int n, int16_t *list, int *last)
{
	const struct event *e = &engine->t[n].pending.ev;
	struct explore_step step;

	*last = writes_of(guide, e->loc, list);
	seq_describe(n, true, &step);
	return guide->c->source(guide->c->arg, &step, guide->co, *last);
}

static bool is_ready(struct guide *guide, int n)
{
	const struct thread *t = &engine->t[n];
	const struct event *e = &t->pending.ev;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int k, last;

	if (!seq_may_move(n))
		return false;
	if (t->state == THREAD_COMING || !(e->flags & EVF_AWAIT))
		return true;
	k = source_of(guide, n, list, &last);
	return k >= 0 && condition_holds(e, grow_value(engine->g, e, list[k]));
}

/* ---- adding an event; false: the model forbids it --------------------------------- */

static bool add_read(struct guide *guide, int n, struct explore_step *s)
{
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int last, k = source_of(guide, n, list, &last), next, a;
	struct graph *g = engine->g;
	struct event *e;
	uint64_t unused;

	if (k < 0)
		return false;
	a = grow_add(g, &engine->t[n].pending.ev);
	if (a < 0)
		return true;
	e = &g->ev[a];
	next = k < last ? list[k + 1] : -1;
	e->val = s->old = grow_value(g, e, list[k]);
	if (k < graph_floor(g, a) ||
	    !graph_read_ok(g, engine->model, a, next) ||
	    ((e->flags & EVF_RMW) && grow_splits_rmw(g, list, last, k) &&
	     rmw_result(e, e->val, &unused)))
		return false;
	graph_set_rf(g, engine->model, a, list[k], next);
	if (k < last)
		s->source = k ? guide->step[list[k]] + 1 : -1;
	s->rf_thread = guide->co[k].thread;
	return engine->model != GRAPH_LKMM || k == last ||
	       lkmm_consistent(g, a, -1);
}

/* Place write a right after list[k]. */
static bool place(int a, const int16_t *list, int n, int k)
{
	struct graph *g = engine->g;

	if (k < graph_floor(g, a) || grow_splits_rmw(g, list, n, k))
		return false;
	if (engine->model != GRAPH_LKMM) {
		if (!graph_place_ok(g, engine->model, a, list, n, k))
			return false;
		graph_place(g, engine->model, a, list, n, k);
		return true;
	}
	graph_shift(g, a, list, n, k);
	return k == n ||
	       lkmm_consistent(g, a,
			       g->ev[a].flags & EVF_RMW ? g->ev[a].prev : -1);
}

static bool add_write(struct guide *guide, int n, struct explore_step *s)
{
	const struct event *e = &engine->t[n].pending.ev;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int nr = writes_of(guide, e->loc, list), k, a;
	struct graph *g = engine->g;

	if (e->flags & EVF_RMW) {
		k = graph_rank(g, g->ev[g->last[n]].rf);
	} else {
		struct explore_step step;

		seq_describe(n, true, &step);
		k = guide->c->place(guide->c->arg, &step, guide->co, nr);
		s->before = k < nr ? guide->step[list[k + 1]] + 1 : 0;
	}
	s->wrote = true;
	s->val = e->val;
	a = grow_add(g, e);
	return a < 0 || place(a, list, nr, k);
}

static bool add(struct guide *guide, int n, struct explore_step *s)
{
	struct event e = engine->t[n].pending.ev;
	int a;

	switch (e.kind) {
	case EV_READ:
		return add_read(guide, n, s);
	case EV_WRITE:
		return add_write(guide, n, s);
	case EV_CHOOSE:
		e.val = s->val = guide->c->choose(guide->c->arg, s);
		break;
	case EV_CREATE:
		e.peer = s->peer = runtime_new_thread(n);
		break;
	}
	a = grow_add(engine->g, &e);
	if (a >= 0 && e.kind == EV_CREATE)
		engine->g->creator[e.peer] = a;
	return true;
}

/* The write half of an RMW follows its read at once, in the same step. */
static bool owes_write(int n)
{
	const struct event *e = &engine->t[n].pending.ev;

	return !engine->stop && engine->t[n].state == THREAD_PENDING &&
	       e->kind == EV_WRITE && (e->flags & EVF_RMW);
}

static void interrupt(struct guide *guide, int h, struct explore_step *s)
{
	int n = cpu_victim(h), a = grow_interrupt(engine->g, n, h, true);

	if (a < 0)
		return;
	guide->step[a] = s - guide->out->steps;
	guide->c->performed(guide->c->arg, s);
	runtime_interrupt(n, h, a);
}

/* Perform the pending operation of thread n as part of step s. */
static void perform(struct guide *guide, int n, size_t step)
{
	struct explore_step *s = &guide->out->steps[step];
	bool create = engine->t[n].pending.ev.kind == EV_CREATE;
	bool owes = owes_write(n);
	int a;

	if (engine->t[n].state == THREAD_COMING) {
		interrupt(guide, n, s);
		return;
	}
	if (!add(guide, n, s)) {
		guide->c->forbidden(guide->c->arg, s);
		engine->stop = STOP_CHOICE;
	}
	if (engine->stop)
		return;
	a = engine->g->last[n];
	guide->step[a] = step;
	if (!owes)
		guide->c->performed(guide->c->arg, s);
	runtime_taken(n);
	runtime_answer(n, create ? (uint64_t)s->peer : engine->g->ev[a].val);
	runtime_check_free(a);
}

/* ---- the run ------------------------------------------------------------------------ */

static bool describe_all(struct guide *guide, struct explore_step *pending)
{
	bool any = false;

	for (int i = 0; i < engine_threads(); i++) {
		bool ready = is_ready(guide, i);

		any |= ready;
		seq_describe(i, ready, &pending[i]);
	}
	return any;
}

static void run(struct guide *guide)
{
	struct explore_step pending[NR_THREADS];

	frontier_clear();
	graph_clear(engine->g);
	runtime_begin_run();
	guide->out->nr_steps = 0;
	for (;;) {
		int n;

		runtime_settle();
		if (engine->stop || !describe_all(guide, pending))
			break;
		n = guide->c->pick(guide->c->arg, pending,
				   explore_nr_threads());
		if (n < 0 || pending[n].blocked) {
			engine->stop = STOP_CHOICE;
			break;
		}
		*seq_new_step(guide->out) = pending[n];
		perform(guide, n, guide->out->nr_steps - 1);
		if (owes_write(n))
			perform(guide, n, guide->out->nr_steps - 1);
	}
	if (engine->stop != STOP_RESTART && engine->stop != STOP_CHOICE)
		mixed_look();
}

static void judge(struct explore_result *out)
{
	bool over = true;

	for (int i = 0; i < engine_threads(); i++)
		over &= engine->t[i].daemon || runtime_thread_over(i);
	out->verdict = EXPLORE_VIOLATED;
	if (engine->stop == STOP_CHOICE) {
		out->verdict = EXPLORE_UNDECIDED;
	} else if (engine->stop == STOP_VIOLATION) {
		ledger_explain();
		if (engine->res.finding == FIND_UNSUPPORTED)
			out->verdict = EXPLORE_REFUSED;
	} else if (!over) {
		seq_describe_stuck(out);
		runtime_deadlock();
		lost_explain(out);
	} else if (!leak_look()) {
		out->verdict = EXPLORE_HOLDS;
		out->executions = 1;
	}
}

void explore_guided(const struct explore_chooser *c, enum explore_memory memory,
		    struct explore_result *out)
{
	struct explore_result r = { .thread = -1 };
	struct guide *guide = calloc(1, sizeof(*guide));

	if (!guide)
		abort();
	*guide = (struct guide){ .c = c, .out = &r };
	memory_forget();
	order_forget();
	ledger_be_strict(false);
	engine->mode = RUN_SEQUENTIAL;
	seq_discover();
	engine->mode = RUN_SEARCH;
	engine->model = memory == MEMORY_LKMM  ? GRAPH_LKMM
			: memory == MEMORY_TSO ? GRAPH_TSO
					       : GRAPH_SC;
	engine->alloc_failures = engine->early_wakeups = UINT_MAX;
	engine->leaks = c->leaks;
	do {
		c->again(c->arg);
		run(guide);
	} while (engine->stop == STOP_RESTART);
	r.threads = explore_nr_threads();
	judge(&r);
	seq_take_finding(&r);
	engine->mode = RUN_OFF;
	free(guide);
	*out = r;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * linear.c - a graph as one run: its events in an order that real memory could
 * show, with few switches between threads. If no order can, as weaker memory has it,
 * each at least comes after what it reads from, and says what it does not see.
 *
 * Only what leads to the finding is kept: for an assertion, what the failing
 * thread depends on. Both halves of an RMW are one step.
 */
#include "engine.h"

#include <stdlib.h>

struct order {
	const struct graph *g;
	uint64_t keep[GRAPH_MAX_EVENTS / 64];
	uint64_t done[GRAPH_MAX_EVENTS / 64];
	int next[NR_THREADS];	    /* index of each thread's next event */
	bool loose;		    /* only who reads from whom counts */
	int step[GRAPH_MAX_EVENTS]; /* that an event is done in */
};

static void keep_all_before(struct order *o, int x)
{
	if (x < 0)
		return;
	bits_or(o->keep, graph_porf(o->g, x), o->g->words);
	bit_set(o->keep, x);
}

static int event_at_use(void)
{
	const struct thread *t = &engine->t[engine->bad_thread];

	return engine->bad_index < t->nr_rec ? t->rec[engine->bad_index] : -1;
}

static int before_use(const struct order *o)
{
	int t = engine->bad_thread, i = engine->bad_index;

	return i > 0 ? engine->t[t].rec[i - 1] : o->g->creator[t];
}

/*
 * What happens up to the free, and up to the use, happens as well if the thread then
 * comes to the use late. Not if the free depends on the use, as weaker memory has it.
 */
static bool use_can_be_last(const struct order *o)
{
	int x;

	if (engine->bad_free < 0)
		return false;
	x = event_at_use();
	return x < 0 || !bit_test(graph_porf(o->g, engine->bad_free), x);
}

static void choose_events(struct order *o)
{
	enum explore_finding f = engine->res.finding;
	int t = engine->res.thread;

	if (f == FIND_USE_AFTER_FREE && use_can_be_last(o)) {
		keep_all_before(o, engine->bad_free);
		keep_all_before(o, before_use(o));
	} else if (explore_is_stuck(f) || f == FIND_USE_AFTER_FREE ||
		   f == FIND_DOUBLE_FREE || t < 0)
		memcpy(o->keep, o->g->live, o->g->words * sizeof(uint64_t));
	else
		keep_all_before(o, o->g->last[t] >= 0 ? o->g->last[t]
						      : o->g->creator[t]);
}

static int next_slot(const struct order *o, int t)
{
	const struct thread *th = &engine->t[t];
	int x;

	if (o->next[t] >= th->nr_rec)
		return -1;
	x = th->rec[o->next[t]];
	return bit_test(o->keep, x) ? x : -1;
}

/* The write half that belongs to read x, or -1. */
static int write_half(const struct order *o, int x)
{
	const struct event *e = &o->g->ev[x];
	const struct thread *th = &engine->t[e->thread];
	int y;

	if (e->kind != EV_READ || !(e->flags & EVF_RMW) ||
	    e->index + 1 >= th->nr_rec)
		return -1;
	y = th->rec[e->index + 1];
	return o->g->ev[y].kind == EV_WRITE && (o->g->ev[y].flags & EVF_RMW) &&
			       bit_test(o->keep, y)
		       ? y
		       : -1;
}

static bool all_done_of(const struct order *o, const uint64_t *set, int except)
{
	int y;

	for_each_bit(y, set, o->g->words)
		if (y != except && bit_test(o->keep, y) &&
		    !bit_test(o->done, y))
			return false;
	return true;
}

static bool all_done(const struct order *o, int x, int except)
{
	return all_done_of(o, graph_porf(o->g, x), except) &&
	       (o->loose || all_done_of(o, graph_before(o->g, x), except));
}

static bool is_ready(const struct order *o, int t)
{
	int x = next_slot(o, t), y;

	if (x < 0 || !all_done(o, x, -1))
		return false;
	y = write_half(o, x);
	return y < 0 || all_done(o, y, x);
}

/*
 * The write done already that comes right after rank r in the order of its
 * location, or -1; -1, too, if there is none.
 */
static int overtaken(const struct order *o, int loc, int rank)
{
	int best = -1;

	for (int x = o->g->loc_head[loc]; x >= 0; x = o->g->ev[x].link) {
		const struct event *e = &o->g->ev[x];

		if (e->kind == EV_WRITE && e->rank > rank &&
		    bit_test(o->done, x) &&
		    (best < 0 || e->rank < o->g->ev[best].rank))
			best = x;
	}
	return best;
}

static void tell_memory(const struct order *o, const struct event *e,
			struct explore_step *s)
{
	int x;

	if (engine->model == GRAPH_SC && e->op == OP_RCU_WAIT)
		return; /* it reads what is there: that will do, too */
	if (e->kind == EV_READ && e->rf != RF_WAITING) {
		x = overtaken(o, e->loc, graph_rank(o->g, e->rf));
		if (x >= 0)
			s->source = e->rf < 0 ? -1 : o->step[e->rf] + 1;
	} else if (e->kind == EV_WRITE) {
		x = overtaken(o, e->loc, e->rank);
		if (x >= 0)
			s->before = o->step[x] + 1;
	}
}

static void emit(struct order *o, int t, struct explore_result *out)
{
	int x = next_slot(o, t), y = write_half(o, x);
	const struct event *e = &o->g->ev[x];
	const struct thread *th = &engine->t[t];
	struct explore_step *s = &out->steps[out->nr_steps++];

	*s = (struct explore_step){
		.thread = t,
		.op = e->op,
		.addr = e->addr,
		.size = e->size,
		.rf_thread = -1,
		.peer = e->peer,
	};
	if (e->op == OP_IRQ) {
		s->thread = e->peer;
		s->peer = t;
	}
	if (e->kind == EV_READ) {
		s->old = e->val;
		s->reads = true;
		if (e->rf >= 0)
			s->rf_thread = o->g->ev[e->rf].thread;
		s->blocked = th->await == x;
	} else if (e->kind == EV_WRITE) {
		s->val = e->val;
		s->wrote = true;
	} else if (e->kind == EV_CHOOSE) {
		s->old = e->operand;
		s->val = e->val;
	}
	if (y >= 0) {
		s->val = o->g->ev[y].val;
		s->wrote = true;
	}
	if (th->trails) {
		const struct trail *r = &th->trails[e->index];

		s->pc = r->pc;
		s->depth = r->depth;
		memcpy(s->stack, r->stack, sizeof(s->stack));
	}
	tell_memory(o, e, s);
	bit_set(o->done, x);
	o->step[x] = out->nr_steps - 1;
	o->next[t]++;
	if (y >= 0) {
		bit_set(o->done, y);
		o->step[y] = out->nr_steps - 1;
		o->next[t]++;
	}
}

/* Threads that wait for ever, alone or in a loop: the last word on each. */
static void emit_alone(struct explore_result *out)
{
	for (int t = 0; t < engine_threads(); t++) {
		const struct thread *th = &engine->t[t];
		struct explore_step *s;

		if (th->state != THREAD_BLOCKED ||
		    (!th->alone && th->spins_from < 0))
			continue;
		s = &out->steps[out->nr_steps++];
		*s = (struct explore_step){ .thread = t,
					    .op = th->pending.ev.op,
					    .addr = th->pending.ev.addr,
					    .size = th->pending.ev.size,
					    .blocked = true,
					    .rf_thread = -1,
					    .pc = th->pending.pc };
		s->old = th->alone ? memory_read(s->addr, s->size)
				   : engine->g->ev[th->rec[th->spins_from]].val;
		while (s->depth < th->depth && s->depth < EXPLORE_STACK_MAX) {
			s->stack[s->depth] =
				th->shadow[th->depth - 1 - s->depth];
			s->depth++;
		}
	}
}

static void emit_kept(struct order *o, struct explore_result *out)
{
	int t = 0;

	for (;;) {
		if (!is_ready(o, t)) {
			for (t = 0; t < engine_threads() && !is_ready(o, t);
			     t++)
				;
			if (t == engine_threads())
				return;
		}
		emit(o, t, out);
		/* who interrupts goes on */
		t = out->steps[out->nr_steps - 1].thread;
	}
}

/* The use, if it is an event; whatever it reads there. */
static void emit_use(struct order *o, struct explore_result *out)
{
	int x = event_at_use(), t = engine->bad_thread;
	struct explore_step *s;

	if (x >= 0 && o->g->ev[x].object == o->g->ev[engine->bad_free].object) {
		bit_set(o->keep, x);
		emit(o, t, out);
		s = &out->steps[out->nr_steps - 1];
		s->source = s->before = 0;
	}
	o->next[t] = engine->t[t].nr_rec;
}

static bool all_kept_done(const struct order *o)
{
	int x;

	for_each_bit(x, o->keep, o->g->words)
		if (!bit_test(o->done, x))
			return false;
	return true;
}

static bool is_weak(const struct explore_result *out)
{
	for (size_t i = 0; i < out->nr_steps; i++)
		if (out->steps[i].source || out->steps[i].before)
			return true;
	return false;
}

void linearise(const struct graph *g, struct explore_result *out)
{
	struct order *o = calloc(1, sizeof(*o));

	out->steps = calloc(g->cap + NR_THREADS, sizeof(*out->steps));
	if (!o || !out->steps)
		abort();
	o->g = g;
	choose_events(o);
	/* weaker memory may have no order of all that explains all values */
	o->loose = engine->model == GRAPH_LKMM;
	emit_kept(o, out);
	if (!all_kept_done(o)) {
		out->nr_steps = 0;
		memset(o->done, 0, sizeof(o->done));
		memset(o->next, 0, sizeof(o->next));
		o->loose = true;
		emit_kept(o, out);
	}
	if (engine->res.finding == FIND_USE_AFTER_FREE && use_can_be_last(o))
		emit_use(o, out);
	/* the others' next steps, for the schedule to stop them there */
	if (is_weak(out)) {
		memcpy(o->keep, g->live, g->words * sizeof(uint64_t));
		emit_kept(o, out);
	}
	if (explore_is_stuck(engine->res.finding))
		emit_alone(out);
	free(o);
}

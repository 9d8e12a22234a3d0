// SPDX-License-Identifier: GPL-2.0-only
/*
 * runtime.c - the scenario's threads on fibres, and what an operation is.
 *
 * A run follows a graph: operations that the graph records get their recorded
 * answer, thread after thread, and wait only until the write that they read from
 * has executed. The first operation of a thread that is not recorded parks the
 * fibre; the search takes it from there (grow.c) and answers.
 *
 * A store is an operation when it has happened: see access.c.
 */
#include "cpu.h"
#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_POINTS 20000000ull /* callbacks of one run */

struct engine *engine;

/* ---- fibres ---------------------------------------------------------------- */

static struct thread *self(void)
{
	return &engine->t[engine->cur];
}

static void to_scheduler(void)
{
	fiber_switch(&self()->fiber, &engine->sched);
}

void runtime_resume(int n)
{
	engine->cur = n;
	fiber_switch(&engine->sched, &engine->t[n].fiber);
	engine->cur = -1;
}

static void thread_main(void *arg)
{
	struct thread *t = arg;

	t->fn(t->arg);
	runtime_end_thread();
}

void runtime_end_thread(void)
{
	struct thread *t = self();

	access_settle();
	ledger_ends();
	/* after a handler there is whom it has interrupted */
	if (t->cpu.interrupted < 0)
		cpu_point(OP_IDLE);
	t->state = THREAD_DONE;
	to_scheduler();
	abort();
}

void runtime_park_forever(void)
{
	for (;;)
		to_scheduler();
}

void runtime_start(int n, const char *name, void (*fn)(void *), void *arg,
		   bool daemon)
{
	struct thread *t = &engine->t[n];
	size_t size;
	void *stack = memory_stack(n, &size);

	t->name = name;
	t->fn = fn;
	t->arg = arg;
	t->daemon = daemon;
	t->state = THREAD_RUNNABLE;
	fiber_init(&t->fiber, stack, size, thread_main, t);
}

static void reset_thread(struct thread *t)
{
	t->state = THREAD_UNUSED;
	t->name = NULL;
	t->claimed = NULL;
	cpu_own(t - engine->t);
	t->interrupted_by = -1;
	t->daemon = t->assumed = t->alone = false;
	t->spins_from = -1;
	t->private_writes = 0;
	spin_break(t);
	t->current = NULL;
	t->await = -1;
	t->store.state = STORE_NONE;
	t->undo[0].size = t->undo[1].size = 0;
	t->idx = t->nr_rec = 0;
	t->nr_objects = t->nr_freed = 0;
	t->nr_deferred = t->nr_created = 0;
	t->nr_choices = t->nr_allocs = t->nr_waits = 0;
	t->depth = 0;
	t->nr_reach = 0;
	t->gave = t->through = 0;
	t->may_race = t->seq_writes = t->seq_reads = 0;
	memset(t->rcu_sections, 0, sizeof(t->rcu_sections));
}

int runtime_new_thread(int creator)
{
	unsigned int k = engine->t[creator].nr_created;
	uint8_t *number = &engine->number[creator][k];

	if (k >= DEFERRED)
		return -1;
	if (!*number) {
		if (engine->nr_static + engine->nr_numbers == NR_THREADS)
			return -1;
		*number = engine->nr_static + engine->nr_numbers++;
		reset_thread(&engine->t[*number]);
		/* a grace period may have passed it by, not knowing of it */
		if (engine->mode == RUN_SEARCH)
			engine->stop = STOP_RESTART;
	}
	return *number;
}

bool runtime_thread_over(int n)
{
	return engine->t[n].state == THREAD_UNUSED ||
	       engine->t[n].state == THREAD_DONE;
}

static bool others_over(int me)
{
	for (int i = 0; i < engine_threads(); i++)
		if (i != me && !engine->t[i].daemon && !runtime_thread_over(i))
			return false;
	return true;
}

bool runtime_joined(int n, const struct event *e)
{
	if (e->kind == EV_JOIN)
		return engine->t[e->peer].state == THREAD_DONE;
	return e->kind != EV_JOIN_ALL || others_over(n);
}

/* ---- a run ------------------------------------------------------------------------ */

void runtime_begin_run(void)
{
	struct graph *g = engine->g;
	int x;

	runtime_number_static_threads();
	memory_reset();
	ledger_begin_run();
	engine->stop = STOP_NONE;
	engine->points = 0;
	engine->cur = -1;
	if (!engine->recording)
		engine->bad_free = -1;
	engine->nr_coming = 0;
	memset(engine->executed, 0, sizeof(engine->executed));
	for (int i = 0; i < engine_threads(); i++)
		reset_thread(&engine->t[i]);
	for_each_bit(x, g->live, g->words) {
		struct thread *t = &engine->t[g->ev[x].thread];
		int index = g->ev[x].index;

		t->rec[index] = x;
		if (index >= t->nr_rec)
			t->nr_rec = index + 1;
	}
	runtime_start_static_threads();
}

/* ---- values ------------------------------------------------------------------------ */

/* May the value at write w be computed: has all that makes it up executed? */
static bool value_ready(int loc, int w)
{
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];

	if (w < 0)
		return true;
	if (!bit_test(engine->executed, w))
		return false;
	if (g->ev[w].size == engine->loc[loc].size)
		return true;
	graph_co(g, loc, list);
	for (int k = g->ev[w].rank - 1; k > 0; k--) {
		if (!bit_test(engine->executed, list[k]))
			return false;
		if (g->ev[list[k]].size == engine->loc[loc].size)
			break;
	}
	return true;
}

/* ---- following the graph -------------------------------------------------------------- */

static void leave_trail(const struct request *q)
{
	struct thread *t = self();
	struct trail *r;
	unsigned int n = 0;

	if (!engine->recording || t->idx >= GRAPH_MAX_EVENTS)
		return;
	if (!t->trails)
		t->trails = calloc(GRAPH_MAX_EVENTS, sizeof(*t->trails));
	if (!t->trails)
		abort();
	r = &t->trails[t->idx];
	r->pc = q->pc;
	while (n < t->depth && n < EXPLORE_STACK_MAX) {
		r->stack[n] = t->shadow[t->depth - 1 - n];
		n++;
	}
	r->depth = n;
}

static void wait_for_source(struct event *e, int slot)
{
	struct thread *t = self();

	for (;;) {
		if (e->kind == EV_READ ? value_ready(e->loc, e->rf)
				       : runtime_joined(engine->cur, e))
			break;
		t->state = THREAD_WAITING;
		t->wait_slot = slot;
		to_scheduler();
	}
	t->state = THREAD_RUNNABLE;
}

static uint64_t read_value(struct event *e)
{
	uint64_t v = graph_value(engine->g, e->loc, engine->loc[e->loc].size,
				 e->rf, memory_initial(e->loc));

	return v >> (e->off * 8) & size_mask(e->size);
}

static void note_free(struct event *e, int slot)
{
	memory_get(e->object)->free_event = slot;
}

/*
 * An await without a source; or one whose source turns out not to satisfy it. The
 * latter is a way to wait only if the source is the latest write; otherwise the
 * same is reached without it.
 */
static uint64_t wait_here(struct event *e, int slot)
{
	struct thread *t = self();

	if (e->rf != RF_WAITING && !await_passed_over(slot))
		engine->stop = STOP_DEAD;
	t->state = THREAD_BLOCKED;
	t->await = slot;
	to_scheduler();
	return engine->ret;
}

static uint64_t follow(struct request *q)
{
	struct thread *t = self();
	int slot = t->rec[t->idx];
	struct event *e = &engine->g->ev[slot];

	if (e->kind != q->ev.kind || e->op != q->ev.op ||
	    e->addr != q->ev.addr || e->size != q->ev.size)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "the scenario is not deterministic: a thread did "
			     "something else when it was run again");
	wait_for_source(e, slot);
	leave_trail(q);
	t->pc[t->idx] = q->pc;
	t->idx++;
	switch (e->kind) {
	case EV_READ:
		bit_set(engine->executed, slot);
		if (e->rf != RF_WAITING)
			e->val = read_value(e);
		if ((e->flags & EVF_AWAIT) &&
		    (e->rf == RF_WAITING || !condition_holds(e, e->val)))
			return wait_here(e, slot);
		return e->val;
	case EV_WRITE:
		e->val = q->ev.val;
		break;
	case EV_CREATE:
		bit_set(engine->executed, slot);
		return e->peer;
	case EV_CHOOSE:
		bit_set(engine->executed, slot);
		return e->val;
	case EV_FREE:
		note_free(e, slot);
		break;
	}
	bit_set(engine->executed, slot);
	return 0;
}

void runtime_count(void)
{
	if (engine->late) {
		engine->stop = engine->stop ? engine->stop : STOP_TIME;
		runtime_park_forever();
	}
	if (++engine->points > MAX_POINTS)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "an execution does not end: bound the loop, or "
			     "wait with a primitive");
}

/* The running thread, about to do q, is at event `slot`: the one after is next. */
static void note_taken(const struct request *q, int slot)
{
	struct thread *t = self();

	leave_trail(q);
	t->pc[t->idx++] = q->pc;
	bit_set(engine->executed, slot);
}

/* On real memory, freed is freed. */
static void check_freed(uintptr_t addr)
{
	int o = memory_object(addr);

	if (o < 0 || !memory_get(o)->freed)
		return;
	engine->res.bad_addr = addr;
	runtime_fail(FIND_USE_AFTER_FREE, NULL, 0,
		     "an object is used after it was freed");
}

/* What a loop may do while it only waits. */
static bool may_be_a_turn(const struct event *e)
{
	return e->kind == EV_READ && !(e->flags & EVF_AWAIT) &&
	       (e->op == OP_READ || e->op == OP_CMPXCHG || e->op == OP_XCHG);
}

static void serve_interrupt(int h);

/* Wait for the search, or a chooser, to take the operation. */
static void park(const struct request *q)
{
	struct thread *t = self();

	for (;;) {
		t->pending = *q;
		t->state = THREAD_PENDING;
		to_scheduler();
		if (t->interrupted_by < 0)
			return;
		serve_interrupt(t->interrupted_by);
	}
}

/* The interrupts that the graph has before q. Does it have q, too? */
static bool follow_interrupts(const struct request *q)
{
	struct thread *t = self();

	while (engine->mode == RUN_SEARCH && t->idx < t->nr_rec) {
		int slot = t->rec[t->idx];
		const struct event *e = &engine->g->ev[slot];

		if (e->op != OP_IRQ)
			return true;
		note_taken(q, slot);
		serve_interrupt(e->peer);
	}
	return false;
}

static uint64_t perform(struct request *q)
{
	uint64_t value;

	if (follow_interrupts(q)) {
		value = follow(q);
	} else {
		park(q);
		value = engine->ret;
	}
	if (engine->mode == RUN_SEQUENTIAL && q->ev.kind != EV_FREE)
		check_freed(q->ev.addr);
	depend_read(q, value);
	return value;
}

uint64_t runtime_point(struct request *q)
{
	struct thread *t = self();
	uint64_t value, result;

	access_settle();
	if (engine->stop)
		runtime_park_forever();
	runtime_count();
	q->ev.thread = engine->cur;
	if (t->daemon)
		q->ev.flags |= EVF_DAEMON;
	if (!may_be_a_turn(&q->ev)) {
		if (t->reads_in_row && !q->idle)
			spin_break(t);
		return perform(q);
	}
	if (!spin_begins(t))
		return perform(q);
	spin_arrive(q);
	value = perform(q);
	if (rmw_result(&q->ev, value, &result) && result != value)
		spin_break(t);
	else
		spin_saw(q, value);
	return value;
}

void runtime_taken(int n)
{
	struct thread *t = &engine->t[n];
	int slot = engine->g->last[n];
	struct event *e = &engine->g->ev[slot];

	t->rec[t->idx] = slot;
	t->nr_rec = t->idx + 1;
	engine->cur = n;
	note_taken(&t->pending, slot);
	engine->cur = -1;
	if (e->kind == EV_FREE)
		note_free(e, slot);
}

void runtime_interrupt(int n, int h, int slot)
{
	struct thread *t = &engine->t[n];

	if (slot >= 0)
		runtime_taken(n);
	t->interrupted_by = h;
	t->state = THREAD_RUNNABLE;
	runtime_resume(n);
}

/* Handler h runs, and then the running thread goes on. */
static void serve_interrupt(int h)
{
	struct thread *t = self();
	struct request q = { .ev = { .kind = EV_JOIN,
				     .op = OP_IRET,
				     .thread = engine->cur,
				     .peer = h,
				     .loc = -1,
				     .object = -1 } };

	t->interrupted_by = -1;
	t->spins_from = -1;
	spin_break(t);
	if (t->daemon)
		q.ev.flags |= EVF_DAEMON;
	cpu_enter(h);
	perform(&q);
	cpu_leave(h);
}

void runtime_answer(int n, uint64_t value)
{
	engine->ret = value;
	engine->t[n].state = THREAD_RUNNABLE;
	runtime_resume(n);
}

void runtime_settle(void)
{
	bool again = true;

	while (again && !engine->stop) {
		again = false;
		for (int i = 0; i < engine_threads() && !engine->stop; i++) {
			struct thread *t = &engine->t[i];

			if (t->state == THREAD_WAITING) {
				int slot = t->wait_slot;

				runtime_resume(i);
				again |= t->state != THREAD_WAITING ||
					 t->wait_slot != slot;
			} else if (t->state == THREAD_RUNNABLE) {
				runtime_resume(i);
				again = true;
			}
		}
	}
}

/* ---- operations with more to them ---------------------------------------------------- */

uint64_t runtime_rmw(struct request *q)
{
	struct request w = *q;
	uint64_t old, val;

	q->ev.kind = EV_READ;
	q->ev.flags |= EVF_RMW;
	old = runtime_point(q);
	/* a sequential run performs both halves at once */
	if (engine->mode != RUN_SEARCH || !rmw_result(&q->ev, old, &val))
		return old;
	w.ev.kind = EV_WRITE;
	w.ev.flags = EVF_RMW;
	w.ev.val = val;
	w.idle = val == old;
	runtime_point(&w);
	return old;
}

int runtime_spawn(const char *name, void (*fn)(void *), void *arg, bool daemon,
		  const void *pc)
{
	struct request q = { .ev = { .kind = EV_CREATE,
				     .op = OP_CREATE,
				     .loc = -1,
				     .object = -1 },
			     .pc = pc };
	int n;

	n = runtime_point(&q);
	engine->t[engine->cur].nr_created++;
	runtime_start(n, name, fn, arg, daemon);
	return n;
}

void runtime_free(const void *p, const void *pc)
{
	int o = memory_object((uintptr_t)p);
	struct request q = { .ev = { .kind = EV_FREE,
				     .op = OP_FREE,
				     .loc = -1,
				     .addr = (uintptr_t)p },
			     .pc = pc };
	struct object *obj;

	if (!p)
		return;
	access_settle();
	if (o < 0 || memory_get(o)->base != (uintptr_t)p) {
		engine->res.bad_addr = (uintptr_t)p;
		runtime_fail(FIND_BAD_FREE, NULL, 0,
			     "what is freed was not allocated");
	}
	obj = memory_get(o);
	/* A sequential run shows the free as a step first. */
	if (engine->mode != RUN_SEQUENTIAL &&
	    (obj->freed || obj->free_event >= 0)) {
		engine->res.bad_addr = (uintptr_t)p;
		runtime_fail(FIND_DOUBLE_FREE, NULL, 0,
			     "an object is freed twice");
	}
	q.ev.object = o;
	q.ev.through = depend_address((uintptr_t)p);
	if (engine->mode == RUN_SEQUENTIAL) {
		runtime_point(&q);
		if (obj->freed) {
			engine->res.bad_addr = (uintptr_t)p;
			runtime_fail(FIND_DOUBLE_FREE, NULL, 0,
				     "an object is freed twice");
		}
		obj->freed = true;
		memory_free_is_local(o);
	} else if (memory_free_is_local(o)) {
		obj->freed = true;
		self()->nr_freed++;
	} else {
		runtime_point(&q);
	}
}

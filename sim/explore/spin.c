// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin.c - loops that only wait, recognised whatever the program calls them.
 *
 * A thread is about to read where it has read before. If it is in the same state
 * as then (what registers keep over a call, its stack, nothing written elsewhere)
 * and has only read shared words in between, that turn of the loop did nothing,
 * and will be repeated until one of those words changes. So it waits for that;
 * executions that differ in how often such a loop turned are one.
 *
 * A turn that retries (a failing compare-exchange among reads) is not nothing: it
 * is how lock-free code makes progress, and each is an execution. One that is a
 * failing read-modify-write and nothing else is a lock in a loop, and waits. So is an
 * exchange that finds what it writes: at the head of such a loop it is one that fails
 * then, since what it writes makes no difference to anybody.
 *
 * State costs time to look at: only places that are known as heads of such loops
 * have it looked at on first arrival. A place is known once a later arrival finds
 * the state of the one before; a search then begins again.
 *
 * A loop may also read what nobody else touches, as far as is known: those reads are
 * no events, and are looked at only in a run that has gone on for long.
 */
#include "cpu.h"

#include <stdlib.h>
#include <unwind.h>

#define HABIT 2 /* arrivals before an unknown place is looked at */
#define NR_KEPT 11
#define SPIN_PLACES 32
#define SPIN_READS 64

/* What a thread would go on from. */
struct state {
	const void *pc;
	uintptr_t sp, kept[NR_KEPT];
	uint64_t counts[4];
};

/* A place in the code where the thread has read, and what it was like then. */
struct place {
	const void *pc;
	uintptr_t addr;
	int arrivals;
	bool looked; /* at the thread, on the last arrival; what follows is of it */
	struct state state;
	unsigned long *stack;
	size_t room;
	int first;    /* index of the next event, in a search */
	int nr_reads; /* until then, on memory */
};

/* Of a thread, since it last did anything but read. */
struct spin {
	struct place place[SPIN_PLACES];
	int nr_places;
	struct place *head; /* of a loop that the thread waits in, on memory */
	struct spin_read {
		uintptr_t addr;
		unsigned int size;
		uint64_t value;
	} read[SPIN_READS];
	int nr_reads;
};

/* Heads of loops, learned as searches go. */
static const void **heads;

static bool is_known(const void *pc)
{
	for (size_t i = 0; i < engine->nr_heads; i++)
		if (heads[i] == pc)
			return true;
	return false;
}

static void learn(const void *pc)
{
	heads = reallocarray(heads, engine->nr_heads + 1, sizeof(*heads));
	if (!heads)
		abort();
	heads[engine->nr_heads++] = pc;
}

uint64_t spin_knowledge(void)
{
	uint64_t sum = engine->nr_heads;

	for (size_t i = 0; i < engine->nr_heads; i++)
		sum = sum * 31 + (uintptr_t)heads[i];
	return sum;
}

/* ---- the state ------------------------------------------------------------------- */

/* DWARF's numbers of what a call leaves alone, up to the first 0. */
static const int kept[NR_KEPT] = {
#if defined(__x86_64__)
	3, 6, 12, 13, 14, 15,
#elif defined(__aarch64__)
	19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
#else
#error "loops that wait: which registers does a call leave alone?"
#endif
};

/* The frame that returns to pc: what the compiler keeps there over the call. */
static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *c, void *arg)
{
	struct state *s = arg;

	if ((const void *)_Unwind_GetIP(c) != s->pc)
		return _URC_NO_REASON;
	s->sp = _Unwind_GetCFA(c);
	for (int i = 0; i < NR_KEPT && kept[i]; i++)
		s->kept[i] = _Unwind_GetGR(c, kept[i]);
	return _URC_NORMAL_STOP;
}

/* False: pc is nowhere on the stack, or the stack is not the thread's own. */
static bool look(struct state *s, const void *pc)
{
	const struct thread *t = &engine->t[engine->cur];

	memset(s, 0, sizeof(*s));
	s->pc = pc;
	_Unwind_Backtrace(look_at_frame, s);
	s->counts[0] = t->private_writes;
	s->counts[1] = t->nr_objects + t->nr_choices + t->nr_allocs +
		       t->nr_waits;
	s->counts[2] = t->nr_freed;
	s->counts[3] = t->nr_deferred + t->nr_created;
	return s->sp && memory_on_stack(s->sp, engine->cur);
}

static size_t stack_above(uintptr_t sp)
{
	size_t size;
	char *stack = memory_stack(engine->cur, &size);

	return (uintptr_t)stack + size - sp;
}

/*
 * A sanitizer keeps red zones between a stack's variables and would refuse
 * memcpy() and memcmp() over them.
 */
__attribute__((no_sanitize("address"))) static void save_words(
	unsigned long *to, const volatile unsigned long *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

__attribute__((no_sanitize("address"))) static bool same_words(
	const unsigned long *a, const volatile unsigned long *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static void remember(struct place *p, const struct state *now)
{
	size_t n = stack_above(now->sp);

	if (n > p->room) {
		free(p->stack);
		p->stack = malloc(n);
		p->room = n;
	}
	if (!p->stack)
		abort();
	save_words(p->stack, (void *)now->sp, n / sizeof(*p->stack));
	p->state = *now;
	p->looked = true;
	p->first = engine->t[engine->cur].idx;
	p->nr_reads = engine->t[engine->cur].spin->nr_reads;
}

static bool is_same(const struct place *p, const struct state *now)
{
	return p->looked && !memcmp(&p->state, now, sizeof(*now)) &&
	       same_words(p->stack, (void *)now->sp,
			  stack_above(now->sp) / sizeof(*p->stack));
}

/* ---- arrivals --------------------------------------------------------------------- */

static struct spin *spin_of(struct thread *t)
{
	if (!t->spin)
		t->spin = calloc(1, sizeof(*t->spin));
	if (!t->spin)
		abort();
	return t->spin;
}

/* NULL: too many places to be one loop. */
static struct place *arrive(struct spin *s, const void *pc, uintptr_t addr)
{
	struct place *p = s->place;

	while (p < s->place + s->nr_places && (p->pc != pc || p->addr != addr))
		p++;
	if (p == s->place + SPIN_PLACES)
		return NULL;
	if (p == s->place + s->nr_places) {
		s->nr_places++;
		p->pc = pc;
		p->addr = addr;
		p->arrivals = 0;
		p->looked = false;
	}
	p->arrivals++;
	return p;
}

void spin_break(struct thread *t)
{
	t->reads_in_row = 0;
	if (t->spin)
		t->spin->nr_places = t->spin->nr_reads = 0;
}

/* Did the write after the source come before the read was added? */
static bool was_stale(const struct graph *g, const struct event *e)
{
	int rank = graph_rank(g, e->rf);

	for (int x = g->loc_head[e->loc]; x >= 0; x = g->ev[x].link)
		if (g->ev[x].kind == EV_WRITE && g->ev[x].rank > rank &&
		    g->ev[x].stamp < e->stamp)
			return true;
	return false;
}

/*
 * The thread turns until somebody writes. A turn that read what was not the latest
 * when it was read leads nowhere: without it the thread reads the same later.
 */
static void wait_in_search(struct thread *t, const struct request *q, int first)
{
	t->pending = *q;
	t->spins_from = first;
	t->state = THREAD_BLOCKED;
	for (int i = first; i < t->idx; i++)
		if (was_stale(engine->g, &engine->g->ev[t->rec[i]]))
			engine->stop = STOP_DEAD;
	runtime_park_forever();
}

/* The place, if the thread is there as it was before and did nothing since. */
static struct place *turned(struct spin *s, const struct request *q, bool head)
{
	struct place *p = arrive(s, q->pc, q->ev.addr);
	struct state now;

	if (!p || (!head && p->arrivals < HABIT) || !look(&now, q->pc))
		return NULL;
	if (is_same(p, &now))
		return p;
	remember(p, &now);
	return NULL;
}

void spin_arrive(struct request *q)
{
	struct thread *t = &engine->t[engine->cur];
	bool searching = engine->mode == RUN_SEARCH, head;
	struct spin *s = spin_of(t);
	struct place *p;

	if (q->ev.rmw != RMW_NONE &&
	    (s->nr_places != 1 || s->place[0].pc != q->pc ||
	     s->place[0].addr != q->ev.addr))
		spin_break(t);
	head = searching && is_known(q->pc);
	if (head && q->ev.rmw == RMW_XCHG && !q->ev.mask) {
		q->ev.mask = size_mask(q->ev.size);
		q->ev.want = q->ev.operand;
		q->ev.negate = true;
	}
	p = turned(s, q, head);
	if (!p)
		return;
	if (!searching) {
		s->head = p;
		t->spins_from = 0;
	} else if (head) {
		wait_in_search(t, q, p->first);
	} else {
		learn(q->pc);
		engine->stop = STOP_RESTART;
		runtime_park_forever();
	}
}

void spin_saw(const struct request *q, uint64_t value)
{
	struct thread *t = &engine->t[engine->cur];
	struct spin *s = t->spin;

	t->spins_from = -1;
	if (engine->mode == RUN_SEARCH)
		return;
	if (s->nr_reads == SPIN_READS)
		spin_break(t);
	s->read[s->nr_reads++] = (struct spin_read){ q->ev.addr, q->ev.size,
						     value };
}

void spin_alone(uintptr_t addr, unsigned int size, const void *pc)
{
	struct request q = { .ev = { .kind = EV_READ,
				     .op = OP_READ,
				     .addr = addr,
				     .size = size,
				     .loc = -1,
				     .object = -1 },
			     .pc = pc };
	struct thread *t = &engine->t[engine->cur];
	struct place *p = turned(spin_of(t), &q, false);

	if (!p || p->first != t->idx)
		return;
	cpu_point(OP_IDLE);
	t->alone = true;
	wait_in_search(t, &q, t->idx);
}

/* ---- questions --------------------------------------------------------------------- */

bool spin_is_stale(int n)
{
	const struct thread *t = &engine->t[n];
	int16_t list[GRAPH_MAX_EVENTS + 1];

	for (int i = t->spins_from; i >= 0 && i < t->idx; i++) {
		const struct event *e = &engine->g->ev[t->rec[i]];

		if (graph_rank(engine->g, e->rf) !=
		    graph_co(engine->g, e->loc, list))
			return true;
	}
	return false;
}

bool spin_turns_in_vain(int n)
{
	const struct thread *t = &engine->t[n];

	if (t->spins_from < 0)
		return false;
	for (int i = t->spin->head->nr_reads; i < t->spin->nr_reads; i++) {
		const struct spin_read *r = &t->spin->read[i];

		if (memory_read(r->addr, r->size) != r->value)
			return false;
	}
	return true;
}

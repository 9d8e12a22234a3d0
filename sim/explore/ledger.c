// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger.c - what each thread holds, and the rules that follow from it.
 *
 * What a thread holds is a function of what it did, so these findings are the
 * same in whatever order a run lets its threads catch up with the graph.
 */
#include "ledger.h"

#include "names.h"

#include <stdlib.h>

#define MAX_HELD 32
#define MAX_SECTIONS 8

struct account {
	struct held {
		uintptr_t lock;
		enum sim_lock_kind kind;
		bool shared;
		const void *pc;
	} held[MAX_HELD];
	unsigned int nr_held;
	struct section {
		const struct sim_rcu *domain;
		int token;
		const void *pc;
	} section[MAX_SECTIONS];
	unsigned int nr_sections;
	uintptr_t wanted; /* lock that it waits for */
	bool softirq;
};

/* What a finding is about, in the order of the sentence that is made of it. */
struct blame {
	enum explore_finding finding; /* FIND_NONE: nothing */
	int thread;
	const char *verb, *tail; /* what it does; after the object, or NULL */
	uintptr_t object;	 /* or 0 */
	const char *since;	 /* ", taken at", with since_pc; or NULL */
	const void *since_pc;
	uintptr_t held; /* of a cycle of locks */
	const void *pc; /* where, or NULL */
	bool has_step;
	struct explore_step step; /* what it was going to do */
};

static struct {
	struct account of[NR_THREADS];
	uintptr_t timer[NR_THREADS]; /* words; each has a thread */
	unsigned int nr_timers;
	struct blame blame; /* of the run */
	struct blame noted; /* a cycle, of a sequential run */
	size_t noted_at;    /* steps before it */
	bool strict;
} ledger;

static struct account *mine(void)
{
	return engine->cur < 0 ? NULL : &ledger.of[engine->cur];
}

void ledger_begin_run(void)
{
	for (int t = 0; t < NR_THREADS; t++) {
		struct account *a = &ledger.of[t];

		a->nr_held = a->nr_sections = 0;
		a->wanted = 0;
		a->softirq = false;
	}
	ledger.nr_timers = 0;
	if (engine->recording) /* a run whose finding is known */
		return;
	ledger.blame.finding = ledger.noted.finding = FIND_NONE;
}

/* ---- findings ------------------------------------------------------------------ */

__attribute__((noreturn)) static void fail(const struct blame *b)
{
	if (!engine->recording && !engine->stop) {
		ledger.blame = *b;
		ledger.blame.thread = engine->cur;
	}
	runtime_fail(b->finding, NULL, 0, "%s", b->verb);
}

static struct explore_step step_now(enum explore_op op, uintptr_t addr,
				    unsigned int size, const void *pc)
{
	const struct thread *t = &engine->t[engine->cur];
	struct explore_step s = { .thread = engine->cur,
				  .op = op,
				  .addr = addr,
				  .size = size,
				  .rf_thread = -1,
				  .pc = pc };

	while (s.depth < t->depth && s.depth < EXPLORE_STACK_MAX) {
		s.stack[s.depth] = t->shadow[t->depth - 1 - s.depth];
		s.depth++;
	}
	return s;
}

bool ledger_step(struct explore_step *step)
{
	if (ledger.blame.finding == FIND_NONE || !ledger.blame.has_step)
		return false;
	*step = ledger.blame.step;
	return true;
}

static void write_place(FILE *to, const char *lead, const void *pc)
{
	int line;
	const char *file = names_place(pc, &line);

	if (file)
		fprintf(to, "%s %s:%d", lead, names_path(file), line);
}

static void write_blame(FILE *to, const struct blame *b)
{
	fprintf(to, "%s %s", explore_thread_name(b->thread), b->verb);
	if (b->object)
		fprintf(to, " %s", names_address(b->object, 0));
	if (b->held)
		fprintf(to, " while it holds %s", names_address(b->held, 0));
	if (b->tail)
		fputs(b->tail, to);
	if (b->since)
		write_place(to, b->since, b->since_pc);
	if (b->held)
		order_explain(to, b->held, b->object);
}

void ledger_explain(void)
{
	const struct blame *b = &ledger.blame;
	struct explore_result *r = &engine->res;
	FILE *to;

	if (b->finding == FIND_NONE)
		return;
	to = fmemopen(r->message, sizeof(r->message), "w");
	if (!to)
		abort();
	write_blame(to, b);
	fclose(to);
	r->file = b->pc ? names_place(b->pc, &r->line) : NULL;
}

void ledger_explain_deadlock(void)
{
	char *message = engine->res.message;
	size_t n = strlen(message);
	FILE *to = fmemopen(message + n, sizeof(engine->res.message) - n, "w");

	if (!to)
		abort();
	for (int t = 0; t < NR_THREADS; t++) {
		const struct account *a = &ledger.of[t];

		for (unsigned int i = 0; a->wanted && i < a->nr_held; i++) {
			if (a->held[i].lock != a->wanted)
				continue;
			fprintf(to, "; %s holds %s itself",
				explore_thread_name(t),
				names_address(a->wanted, 0));
			write_place(to, ", taken at", a->held[i].pc);
			break;
		}
	}
	fclose(to);
}

void ledger_be_strict(bool strict)
{
	ledger.strict = strict;
}

bool ledger_accuse(size_t *nr_steps)
{
	if (ledger.noted.finding == FIND_NONE)
		return false;
	ledger.blame = ledger.noted;
	engine->res.finding = ledger.blame.finding;
	engine->res.thread = ledger.blame.thread;
	*nr_steps = ledger.noted_at;
	return true;
}

/* ---- locks ------------------------------------------------------------------------ */

static bool spins(enum sim_lock_kind kind)
{
	return kind == SIM_SPINLOCK || kind == SIM_RWLOCK;
}

/* The newest hold on the lock of that mode, or -1. */
static int find_held(const struct account *a, uintptr_t lock, bool shared)
{
	for (int i = a->nr_held; i--;)
		if (a->held[i].lock == lock && a->held[i].shared == shared)
			return i;
	return -1;
}

static void cycle(uintptr_t held, uintptr_t wanted, const void *pc)
{
	struct blame b = {
		.finding = FIND_LOCK_ORDER,
		.thread = engine->cur,
		.verb = "takes",
		.object = wanted,
		.held = held,
		.pc = pc,
		.has_step = true,
		.step = step_now(OP_LOCK, wanted, sizeof(long), pc),
	};

	if (ledger.strict)
		fail(&b);
	if (engine->mode != RUN_SEQUENTIAL || ledger.noted.finding)
		return;
	ledger.noted = b;
	ledger.noted_at = engine->nr_steps;
}

void ledger_wants(const struct sim_lock *l, enum sim_lock_kind kind,
		  const void *pc)
{
	struct account *a = mine();
	uintptr_t lock = (uintptr_t)l;

	if (!a)
		return;
	if (!spins(kind))
		ledger_may_sleep(OP_LOCK, l, pc);
	a->wanted = lock;
	for (unsigned int i = 0; i < a->nr_held; i++)
		if (order_add(a->held[i].lock, lock, pc))
			cycle(a->held[i].lock, lock, pc);
}

void ledger_takes(const struct sim_lock *l, enum sim_lock_kind kind,
		  bool shared, const void *pc)
{
	struct account *a = mine();

	if (!a)
		return;
	a->wanted = 0;
	if (a->nr_held == MAX_HELD)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a thread holds more than %d locks", MAX_HELD);
	a->held[a->nr_held++] = (struct held){ (uintptr_t)l, kind, shared, pc };
}

void ledger_drops(const struct sim_lock *l, bool shared, const void *pc)
{
	struct account *a = mine();
	uintptr_t lock = (uintptr_t)l;
	int i;

	if (!a)
		return;
	i = find_held(a, lock, shared);
	if (i < 0)
		fail(&(struct blame){
			.finding = FIND_BAD_UNLOCK,
			.pc = pc,
			.verb = "unlocks",
			.object = lock,
			.tail = find_held(a, lock, !shared) < 0
					? ", which it does not hold"
				: shared ? " as a reader, but holds it as writer"
					 : " as writer, but holds it as a reader",
			.has_step = true,
			.step = step_now(OP_UNLOCK, lock, sizeof(l->word), pc),
		});
	a->nr_held--;
	memmove(&a->held[i], &a->held[i + 1],
		(a->nr_held - i) * sizeof(*a->held));
}

/* ---- context ------------------------------------------------------------------------ */

void ledger_softirq(void)
{
	mine()->softirq = true;
}

void ledger_enters(const struct sim_rcu *d, int token, const void *pc)
{
	struct account *a = mine();

	if (!a || d->kind == SIM_SRCU)
		return;
	if (a->nr_sections == MAX_SECTIONS)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a thread is in more than %d RCU sections",
			     MAX_SECTIONS);
	a->section[a->nr_sections++] = (struct section){ d, token, pc };
}

void ledger_leaves(const struct sim_rcu *d, int token)
{
	struct account *a = mine();

	if (!a)
		return;
	for (unsigned int i = 0; i < a->nr_sections; i++) {
		if (a->section[i].domain != d || a->section[i].token != token)
			continue;
		a->section[i] = a->section[--a->nr_sections];
		return;
	}
}

/* Why the thread may not sleep, in *b; false: it may. */
static bool is_atomic(const struct account *a, struct blame *b)
{
	for (unsigned int i = 0; i < a->nr_held; i++) {
		if (!spins(a->held[i].kind))
			continue;
		b->verb = "may sleep while it holds";
		b->object = a->held[i].lock;
		b->since = ", taken at";
		b->since_pc = a->held[i].pc;
		return true;
	}
	for (unsigned int i = 0; i < a->nr_sections; i++) {
		if (a->section[i].domain->kind != SIM_RCU)
			continue;
		b->verb = "may sleep inside an RCU read section";
		b->since = ", begun at";
		b->since_pc = a->section[i].pc;
		return true;
	}
	b->verb = "may sleep in softirq";
	return a->softirq;
}

void ledger_may_sleep(enum explore_op op, const void *addr, const void *pc)
{
	struct account *a = mine();
	struct blame b = { .finding = FIND_ATOMIC_SLEEP,
			   .pc = pc,
			   .has_step = true };

	if (!a || !is_atomic(a, &b))
		return;
	b.step = step_now(op, (uintptr_t)addr, op == OP_SLEEP ? 4 : 8, pc);
	fail(&b);
}

void ledger_ends(void)
{
	struct account *a = mine();

	if (a->nr_held)
		fail(&(struct blame){
			.finding = FIND_LOCK_HELD,
			.verb = "ends and still holds",
			.object = a->held[0].lock,
			.since = ", taken at",
			.since_pc = a->held[0].pc,
		});
	if (a->nr_sections)
		fail(&(struct blame){
			.finding = FIND_OPEN_SECTION,
			.verb = "ends inside a read section of",
			.object = (uintptr_t)a->section[0].domain,
			.since = ", begun at",
			.since_pc = a->section[0].pc,
		});
}

/* ---- timers ---------------------------------------------------------------------------- */

void ledger_timer(const unsigned long *word)
{
	for (unsigned int i = 0; i < ledger.nr_timers; i++)
		if (ledger.timer[i] == (uintptr_t)word)
			return;
	ledger.timer[ledger.nr_timers++] = (uintptr_t)word;
}

static int location_of(uintptr_t addr)
{
	/* the newest: pieces may have been merged */
	for (int l = engine->nr_loc; l--;)
		if (engine->loc[l].addr == addr)
			return l;
	return -1;
}

/*
 * Is the timer armed, or does it run, as the running thread frees it? In a graph,
 * that is what the last write to its word left behind, if it is before the free.
 * If it is not, the timer is used while it is freed: another finding's business.
 */
static unsigned long state_at_free(uintptr_t word)
{
	const struct thread *t = &engine->t[engine->cur];
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	int loc = location_of(word), last, n;

	if (engine->mode == RUN_SEQUENTIAL || loc < 0)
		return memory_read(word, 8);
	n = graph_co(g, loc, list);
	last = list[n];
	if (n == 0 || !t->idx || !bit_test(engine->executed, last) ||
	    !graph_is_before(g, last, t->rec[t->idx - 1]))
		return 0;
	return graph_value(g, loc, engine->loc[loc].size, last,
			   memory_initial(loc));
}

void ledger_frees(int object, const void *pc)
{
	const struct object *o = memory_get(object);

	if (engine->cur < 0)
		return;
	for (unsigned int i = 0; i < ledger.nr_timers; i++) {
		uintptr_t word = ledger.timer[i];
		unsigned long state;

		if (word < o->base || word >= o->base + o->size)
			continue;
		state = state_at_free(word);
		if (!(state & (SIM_TIMER_PENDING | SIM_TIMER_RUNNING)))
			continue;
		fail(&(struct blame){
			.finding = FIND_ARMED_TIMER,
			.pc = pc,
			.verb = "frees",
			.object = o->base,
			.tail = state & SIM_TIMER_RUNNING
					? " while its timer runs"
					: " while its timer is armed",
		});
	}
}

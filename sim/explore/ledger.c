// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger.c - what each thread holds, and the rules that follow from it.
 *
 * What a thread holds is a function of what it did, so these findings are the
 * same in whatever order a run lets its threads catch up with the graph.
 */
#include "ledger.h"

#include "blame.h"
#include "cpu.h"
#include "names.h"

#include <stdlib.h>

#define MAX_HELD 32
#define MAX_SECTIONS 8
#define MAX_LEASES 16 /* kept for what deadlocks say */

struct account {
	struct held {
		uintptr_t lock;
		enum sim_lock_kind kind;
		bool shared;
		unsigned int again; /* times, by a mutex that counts */
		struct site site;
	} held[MAX_HELD];
	unsigned int nr_held;
	struct section {
		const struct sim_rcu *domain;
		int token;
		struct site site;
	} section[MAX_SECTIONS], lease[MAX_LEASES]; /* the latter of SRCU */
	unsigned int nr_sections, nr_leases;
	uintptr_t wanted; /* lock that it waits for */
	uintptr_t timer;  /* word of the timer that it runs */
};

static struct {
	struct account of[NR_THREADS];
	uintptr_t timer[NR_THREADS]; /* words; each has a thread */
	unsigned int nr_timers;
} ledger;

static struct account *mine(void)
{
	return engine->cur < 0 ? NULL : &ledger.of[engine->cur];
}

void ledger_begin_run(void)
{
	for (int t = 0; t < engine_threads(); t++) {
		struct account *a = &ledger.of[t];

		a->nr_held = a->nr_sections = a->nr_leases = 0;
		a->wanted = a->timer = 0;
	}
	ledger.nr_timers = 0;
	blame_begin_run();
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

/* The step to be shown is that of taking `lock`. */
static void cycle(uintptr_t held, uintptr_t wanted, uintptr_t lock,
		  const void *pc)
{
	blame_cycle(&(struct blame){
		.finding = FIND_LOCK_ORDER,
		.object = wanted,
		.held = held,
		.site = blame_site(pc),
		.has_step = true,
		.step = blame_step(OP_LOCK, lock, pc),
	});
}

static void add_order(uintptr_t held, uintptr_t wanted, uintptr_t lock,
		      const void *pc)
{
	if (order_add(held, wanted, pc))
		cycle(held, wanted, lock, pc);
}

/* Softirqs may come while the running thread holds h. */
static void hold_open(const struct held *h, const void *pc)
{
	if (!spins(h->kind))
		return;
	add_order(h->lock, ORDER_WRITERS, h->lock, pc);
	if (!h->shared)
		add_order(h->lock, ORDER_SOFTIRQ, h->lock, pc);
}

void ledger_lets_softirqs_in(const void *pc)
{
	struct account *a = mine();

	for (unsigned int i = 0; a && i < a->nr_held; i++)
		hold_open(&a->held[i], pc);
}

void ledger_wants(const struct sim_lock *l, enum sim_lock_kind kind,
		  bool shared, const void *pc)
{
	struct account *a = mine();
	uintptr_t lock = (uintptr_t)l;

	if (!a)
		return;
	if (!spins(kind))
		ledger_may_sleep(OP_LOCK, l, pc);
	a->wanted = lock;
	for (unsigned int i = 0; i < a->nr_held; i++)
		add_order(a->held[i].lock, lock, lock, pc);
	if (spins(kind) && engine->t[engine->cur].cpu.level == LEVEL_SOFTIRQ)
		add_order(shared ? ORDER_SOFTIRQ : ORDER_WRITERS, lock, lock,
			  pc);
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
	a->held[a->nr_held++] = (struct held){ .lock = (uintptr_t)l,
					       .kind = kind,
					       .shared = shared,
					       .site = blame_site(pc) };
	if (cpu_lets_softirqs_in())
		hold_open(&a->held[a->nr_held - 1], pc);
}

bool ledger_reads(const struct sim_lock *l)
{
	struct account *a = mine();

	return a && find_held(a, (uintptr_t)l, true) >= 0;
}

bool ledger_writes(const struct sim_lock *l)
{
	struct account *a = mine();

	return a && find_held(a, (uintptr_t)l, false) >= 0;
}

void ledger_takes_again(const struct sim_lock *l)
{
	struct account *a = mine();

	a->held[find_held(a, (uintptr_t)l, false)].again++;
}

bool ledger_drops_again(const struct sim_lock *l)
{
	struct account *a = mine();
	struct held *h = &a->held[find_held(a, (uintptr_t)l, false)];

	if (!h->again)
		return false;
	h->again--;
	return true;
}

void ledger_may_drop(const struct sim_lock *l, bool shared, const void *pc)
{
	struct account *a = mine();
	uintptr_t lock = (uintptr_t)l;

	if (a && find_held(a, lock, shared) < 0)
		blame_fail(&(struct blame){
			.finding = FIND_BAD_UNLOCK,
			.site = blame_site(pc),
			.verb = "unlocks",
			.object = lock,
			.tail = find_held(a, lock, !shared) < 0
					? ", which it does not hold"
				: shared
					? " as a reader, but holds it as writer"
					: " as writer, but holds it as a "
					  "reader",
			.has_step = true,
			.step = blame_step(OP_UNLOCK, lock, pc),
		});
}

void ledger_drops(const struct sim_lock *l, bool shared)
{
	struct account *a = mine();
	int i;

	if (!a)
		return;
	i = find_held(a, (uintptr_t)l, shared);
	a->nr_held--;
	memmove(&a->held[i], &a->held[i + 1],
		(a->nr_held - i) * sizeof(*a->held));
}

/* Word that the thread's grace period waits for, or 0. */
static uintptr_t awaited_readers(int thread)
{
	const struct thread *t = &engine->t[thread];
	const struct event *e = t->await >= 0 && engine->mode == RUN_SEARCH
					? &engine->g->ev[t->await]
					: &t->pending.ev;

	if (t->state != THREAD_BLOCKED && t->state != THREAD_PENDING)
		return 0;
	return e->op == OP_RCU_WAIT ? e->addr : 0;
}

static void explain_section(FILE *to, int t, const struct section *s,
			    unsigned int nr, uintptr_t word)
{
	for (unsigned int i = 0; i < nr; i++) {
		if (word != (uintptr_t)&s[i].domain->reader[t])
			continue;
		fprintf(to,
			"; the grace period of %s waits for its own read "
			"section of %s",
			explore_thread_name(t),
			names_address((uintptr_t)s[i].domain, 0));
		blame_place(to, ", begun at", &s[i].site);
		return;
	}
}

/* Does what t has interrupted hold the lock that it waits for? */
static void explain_interrupt(FILE *to, int t)
{
	int below = engine->t[t].cpu.interrupted, i;

	for (; below >= 0; below = engine->t[below].cpu.interrupted) {
		const struct account *b = &ledger.of[below];

		for (i = b->nr_held; i--;)
			if (b->held[i].lock == ledger.of[t].wanted)
				break;
		if (i < 0)
			continue;
		fprintf(to, "; it is held by %s, which %s has interrupted",
			explore_thread_name(below), explore_thread_name(t));
		blame_place(to, ", taken at", &b->held[i].site);
	}
}

void ledger_explain_deadlock(void)
{
	FILE *to = blame_append();

	if (!to)
		return;
	for (int t = 0; t < engine_threads(); t++) {
		const struct account *a = &ledger.of[t];
		uintptr_t word = awaited_readers(t);

		if (word) {
			explain_section(to, t, a->section, a->nr_sections,
					word);
			explain_section(to, t, a->lease, a->nr_leases, word);
		}
		for (unsigned int i = 0; a->wanted && i < a->nr_held; i++) {
			if (a->held[i].lock != a->wanted)
				continue;
			fprintf(to, "; %s holds %s itself",
				explore_thread_name(t),
				names_address(a->wanted, 0));
			blame_place(to, ", taken at", &a->held[i].site);
			break;
		}
		if (a->wanted)
			explain_interrupt(to, t);
	}
	fclose(to);
}

/* ---- context ------------------------------------------------------------------------ */

void ledger_enters(const struct sim_rcu *d, int token, const void *pc)
{
	struct account *a = mine();

	if (!a)
		return;
	if (d->kind == SIM_SRCU) {
		if (a->nr_leases < MAX_LEASES)
			a->lease[a->nr_leases++] =
				(struct section){ d, token, blame_site(pc) };
		return;
	}
	if (a->nr_sections == MAX_SECTIONS)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a thread is in more than %d RCU sections",
			     MAX_SECTIONS);
	a->section[a->nr_sections++] = (struct section){ d, token,
							 blame_site(pc) };
}

static void forget(struct section *s, unsigned int *nr, const struct sim_rcu *d,
		   int token)
{
	for (unsigned int i = 0; i < *nr; i++) {
		if (s[i].domain != d || s[i].token != token)
			continue;
		s[i] = s[--*nr];
		return;
	}
}

void ledger_leaves(const struct sim_rcu *d, int token)
{
	struct account *a = mine();

	if (a)
		forget(a->section, &a->nr_sections, d, token);
	for (int t = 0; t < engine_threads(); t++)
		forget(ledger.of[t].lease, &ledger.of[t].nr_leases, d, token);
}

void ledger_not_inside(const struct sim_rcu *d, const char *tail,
		       const void *pc)
{
	blame_fail(&(struct blame){
		.finding = FIND_BAD_UNLOCK,
		.site = blame_site(pc),
		.verb = "leaves a read section of",
		.object = (uintptr_t)d,
		.tail = tail ? tail : ", which it is not in",
		.has_step = true,
		.step = blame_step(OP_RCU_UNLOCK, (uintptr_t)d, pc),
	});
}

/* What the running thread has switched off and not on again, in *b. */
static bool is_off(struct blame *b, bool sleeps)
{
	static const char *const verb[][2] = {
		[OFF_IRQS] = { "ends with interrupts off",
			       "may sleep with interrupts off" },
		[OFF_BH] = { "ends with bottom halves off",
			     "may sleep with bottom halves off" },
		[OFF_PREEMPT] = { "ends with preemption off",
				  "may sleep with preemption off" },
	};
	const struct cpu_state *c = &engine->t[engine->cur].cpu;
	enum cpu_off what;

	if (c->irqs_off && c->level != LEVEL_HARDIRQ)
		what = OFF_IRQS;
	else if (c->count & SIM_SOFTIRQ_MASK)
		what = OFF_BH;
	else if (c->count)
		what = OFF_PREEMPT;
	else
		return false;
	b->verb = verb[what][sleeps];
	b->since = ", since";
	b->since_site = c->off_at[what];
	return true;
}

static bool is_interrupt(struct blame *b)
{
	enum cpu_level level = engine->t[engine->cur].cpu.level;

	b->verb = level == LEVEL_HARDIRQ ? "may sleep in a hard interrupt"
					 : "may sleep in softirq";
	return level != LEVEL_TASK;
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
		b->since_site = a->held[i].site;
		return true;
	}
	/* Before the read section that this is, too. */
	if (is_off(b, true))
		return true;
	for (unsigned int i = 0; i < a->nr_sections; i++) {
		if (a->section[i].domain->kind != SIM_RCU)
			continue;
		b->verb = "may sleep inside an RCU read section";
		b->since = ", begun at";
		b->since_site = a->section[i].site;
		return true;
	}
	return is_interrupt(b);
}

void ledger_may_sleep(enum explore_op op, const void *addr, const void *pc)
{
	struct account *a = mine();
	struct blame b = { .finding = FIND_ATOMIC_SLEEP, .has_step = true };

	if (!a || !is_atomic(a, &b))
		return;
	b.site = blame_site(pc);
	b.step = blame_step(op, (uintptr_t)addr, pc);
	blame_fail(&b);
}

void ledger_ends(void)
{
	struct account *a = mine();
	struct blame off = { .finding = FIND_LOCK_HELD };

	/* a program's mutexes end with it */
	if (a->nr_held && !engine->program)
		blame_fail(&(struct blame){
			.finding = FIND_LOCK_HELD,
			.verb = "ends and still holds",
			.object = a->held[0].lock,
			.since = ", taken at",
			.since_site = a->held[0].site,
		});
	if (is_off(&off, false))
		blame_fail(&off);
	if (a->nr_sections)
		blame_fail(&(struct blame){
			.finding = FIND_OPEN_SECTION,
			.verb = "ends inside a read section of",
			.object = (uintptr_t)a->section[0].domain,
			.since = ", begun at",
			.since_site = a->section[0].site,
		});
}

/* ---- timers ---------------------------------------------------------------------------- */

void ledger_timer_armed(const unsigned long *word)
{
	for (unsigned int i = 0; i < ledger.nr_timers; i++)
		if (ledger.timer[i] == (uintptr_t)word)
			return;
	ledger.timer[ledger.nr_timers++] = (uintptr_t)word;
}

void ledger_timer_runs(const unsigned long *word)
{
	mine()->timer = (uintptr_t)word;
}

bool ledger_timer_is_gone(void)
{
	return !mine()->timer;
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
	int loc = location_of(word), here, last, n;

	if (engine->mode == RUN_SEQUENTIAL || loc < 0)
		return memory_read(word, 8);
	if (engine->model == GRAPH_LKMM)
		plain_order(g);
	n = graph_co(g, loc, list);
	last = list[n];
	if (n == 0 || !t->idx || !bit_test(engine->executed, last))
		return 0;
	here = t->rec[t->idx - 1];
	if (last != here && !runtime_is_before(last, here))
		return 0;
	return graph_value(g, loc, engine->loc[loc].size, last,
			   memory_initial(loc));
}

void ledger_frees(int object, const void *pc)
{
	const struct object *o = memory_get(object);
	struct account *a = mine();

	for (unsigned int i = 0; i < ledger.nr_timers; i++) {
		uintptr_t word = ledger.timer[i];
		unsigned long state;

		if (word < o->base || word >= o->base + o->size)
			continue;
		state = state_at_free(word);
		if (word == a->timer) {
			a->timer = 0;
			state &= ~SIM_TIMER_RUNNING;
		}
		if (!(state & (SIM_TIMER_PENDING | SIM_TIMER_RUNNING)))
			continue;
		blame_fail(&(struct blame){
			.finding = FIND_ARMED_TIMER,
			.site = blame_site(pc),
			.verb = "frees",
			.object = o->base,
			.tail = state & SIM_TIMER_RUNNING
					? " while its timer runs"
					: " while its timer is armed",
		});
	}
}

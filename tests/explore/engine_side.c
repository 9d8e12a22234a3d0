// SPDX-License-Identifier: GPL-2.0-only
/*
 * engine_side.c - a random program through the kernel-API hooks and the search.
 */
#include "program.h"

#include "engine.h"
#include "hook.h"
#include "trapline/scenario.h"
#include "world.h"

#include <stdio.h>

#define PC __builtin_return_address(0)

/* The scenario's memory: what the search resets. */
static struct {
	unsigned long var[2];
	struct sim_lock lock;
	unsigned int state[THREADS];
	unsigned long flag[THREADS];
	unsigned long timer[TIMERS];
	struct sim_rcu rcu;
} mem __attribute__((section("trapline_arena")));

static const struct program *running;
static struct classes *found;

static int word_of(uintptr_t addr)
{
	for (int i = 0; i < 2; i++)
		if (addr == (uintptr_t)&mem.var[i])
			return W_VAR + i;
	if (addr == (uintptr_t)&mem.lock.word)
		return W_LOCK;
	for (int i = 0; i < THREADS; i++) {
		if (addr == (uintptr_t)&mem.state[i])
			return W_STATE + i;
		if (addr == (uintptr_t)&mem.flag[i])
			return W_FLAG + i;
		if (addr == (uintptr_t)&mem.rcu.reader[i])
			return W_READER + i;
	}
	for (int i = 0; i < TIMERS; i++)
		if (addr == (uintptr_t)&mem.timer[i])
			return W_TIMER + i;
	return -1;
}

/* ---- running ------------------------------------------------------------------ */

static void sleep_on_flag(int a, bool early)
{
	struct hook_op xchg = { .op = OP_XCHG, .rmw = RMW_XCHG };
	uintptr_t state = (uintptr_t)&mem.state[a];
	unsigned long flag = 0;

	if (early)
		flag = hook_read((uintptr_t)&mem.flag[a], 8, OP_READ, PC);
	xchg.operand = 1;
	hook_rmw(state, 4, &xchg, PC);
	if (!early)
		flag = hook_read((uintptr_t)&mem.flag[a], 8, OP_READ, PC);
	if (!flag)
		sim_schedule(&mem.state[a]);
	xchg.operand = 0;
	hook_rmw(state, 4, &xchg, PC);
}

/* Loads are known by their place, as in a program that was compiled. */
__attribute__((noinline)) static unsigned long load(uintptr_t var)
{
	return hook_read(var, 8, OP_READ, PC);
}

__attribute__((noinline)) static void spin(uintptr_t var, unsigned long value)
{
	while (load(var) != value)
		;
}

__attribute__((noinline)) static unsigned long cmpxchg(uintptr_t var,
						       unsigned long old,
						       unsigned long value)
{
	return hook_cmpxchg(var, 8, old, value, HOOK_FULL, PC);
}

static void run_actor(int a)
{
	int last = 0, token = 0;

	for (int i = 0; i < running->n[a]; i++) {
		const struct op *o = &running->op[a][i];
		uintptr_t var = (uintptr_t)&mem.var[o->var & 1];
		struct hook_op h = { .op = OP_ADD,
				     .rmw = o->code == P_ADD ? RMW_ADD
							     : RMW_XCHG,
				     .operand = o->value };

		if (o->only_if >= 0 && o->only_if != last)
			continue;
		switch (o->code) {
		case P_LOAD:
			last = load(var);
			break;
		case P_STORE:
			hook_write(var, 8, o->value, OP_WRITE, PC);
			break;
		case P_XCHG:
		case P_ADD:
			last = hook_rmw(var, 8, &h, PC);
			break;
		case P_CAS:
			last = cmpxchg(var, last, o->value);
			break;
		case P_FENCE:
			sim_fence(SIM_MB);
			break;
		case P_CHOOSE:
			last = hook_choose(o->value + 1, PC);
			break;
		case P_ALLOC:
			last = hook_alloc_fails(PC);
			break;
		case P_AWAIT: {
			struct sim_cond until = { .mask = ~0ul,
						  .want = o->value };

			sim_await(&mem.var[o->var], 8, &until, SIM_RELAXED);
			break;
		}
		case P_SPIN:
			spin(var, o->value);
			break;
		case P_LOCK:
			sim_lock(&mem.lock, SIM_SPINLOCK, 0);
			break;
		case P_UNLOCK:
			sim_unlock(&mem.lock, SIM_SPINLOCK, 0);
			break;
		case P_LOCK_SHARED:
			sim_lock(&mem.lock, SIM_RWLOCK, 1);
			break;
		case P_UNLOCK_SHARED:
			sim_unlock(&mem.lock, SIM_RWLOCK, 1);
			break;
		case P_TRY:
			last = sim_trylock(&mem.lock, SIM_RWLOCK, 0);
			break;
		case P_TRY_SHARED:
			last = sim_trylock(&mem.lock, SIM_RWLOCK, 1);
			break;
		case P_LOCKED:
			last = load((uintptr_t)&mem.lock.word);
			break;
		case P_SLEEP:
		case P_SLEEP_EARLY:
			sleep_on_flag(a, o->code == P_SLEEP_EARLY);
			break;
		case P_WAKE:
			hook_write((uintptr_t)&mem.flag[o->var], 8, 1, OP_WRITE,
				   PC);
			sim_wake(NULL, &mem.state[o->var], ~0u);
			break;
		case P_ARM:
			sim_timer_mod((struct timer_list *)&mem.timer[a],
				      &mem.timer[a], 1);
			break;
		case P_DELETE:
			sim_timer_delete_sync(
				(struct timer_list *)&mem.timer[a],
				&mem.timer[a]);
			break;
		case P_RCU_LOCK:
			token = sim_rcu_lock(&mem.rcu);
			break;
		case P_RCU_UNLOCK:
			sim_rcu_unlock(&mem.rcu, token);
			break;
		case P_SYNC:
			sim_rcu_sync(&mem.rcu);
			break;
		default:
			break;
		}
	}
}

SCENARIO_THREAD(t0)
{
	run_actor(0);
}

SCENARIO_THREAD(t1)
{
	run_actor(1);
}

SCENARIO_THREAD(t2)
{
	run_actor(2);
}

SCENARIO_THREAD(t3)
{
	run_actor(3);
}

unsigned long *sim_timer_pinned(struct timer_list *timer)
{
	return NULL;
}

void sim_timer_run(struct timer_list *timer)
{
	run_actor(THREADS + ((unsigned long *)timer - mem.timer));
}

/* ---- the class of a graph -------------------------------------------------------- */

static int actor_of(int thread)
{
	const struct deferred *d;

	if (thread < THREADS)
		return thread;
	d = engine->t[thread].arg;
	return THREADS + ((unsigned long *)d->object - mem.timer);
}

/* Place of event x among its thread's accesses to its word. */
static int ordinal(const struct graph *g, int x)
{
	int n = 0;

	for (int y = g->loc_head[g->ev[x].loc]; y >= 0; y = g->ev[y].link)
		n += g->ev[y].thread == g->ev[x].thread &&
		     g->ev[y].index < g->ev[x].index;
	return n;
}

static char *put(char *p, const struct graph *g, int x)
{
	if (x < 0)
		return p + sprintf(p, "i ");
	return p +
	       sprintf(p, "%d.%d ", actor_of(g->ev[x].thread), ordinal(g, x));
}

static int location_of(int word)
{
	int found_loc = -1;

	/* a word that was found shared again has its latest number */
	for (int l = 0; l < engine->nr_loc; l++)
		if (word_of(engine->loc[l].addr) == word)
			found_loc = l;
	return found_loc;
}

static char *put_reads(char *p, const struct graph *g, int loc, int actor,
		       int latest)
{
	for (int t = 0; t < NR_THREADS; t++) {
		if (engine->t[t].state == THREAD_UNUSED || actor_of(t) != actor)
			continue;
		for (int i = 0; i < engine->t[t].nr_rec; i++) {
			int x = engine->t[t].rec[i];

			if (g->ev[x].loc != loc || g->ev[x].kind != EV_READ)
				continue;
			/* who waits for ever has seen the last value */
			p = put(p, g,
				g->ev[x].rf == RF_WAITING ? latest
							  : g->ev[x].rf);
		}
	}
	return p;
}

static char *put_choices(char *p, const struct graph *g)
{
	p += sprintf(p, "c:");
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < engine->t[t].nr_rec; i++) {
			const struct event *e = &g->ev[engine->t[t].rec[i]];

			if (e->kind == EV_CHOOSE)
				p += sprintf(p, "%d.%lu ", t, e->val);
		}
	return p;
}

static void collect(bool deadlock)
{
	const struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];
	char text[8192] = "", *p = text;

	(void)deadlock;
	/* what grace periods see of sections is no part of it */
	for (int w = 0; w < W_READER; w++) {
		int loc = location_of(w), n;

		if (loc < 0)
			continue;
		p += sprintf(p, "w%d:", w);
		n = graph_co(g, loc, list);
		for (int k = 1; k <= n; k++)
			p = put(p, g, list[k]);
		for (int a = 0; a < ACTORS; a++) {
			p += sprintf(p, "|");
			p = put_reads(p, g, loc, a, list[n]);
		}
	}
	p = put_choices(p, g);
	classes_add(found, text);
}

void program_run_engine(const struct program *p, bool tso, uint32_t *shared,
			struct classes *out, uint64_t *blocked)
{
	struct explore_options opt = { .memory = tso ? MEMORY_TSO : MEMORY_SC,
				       .alloc_failures = 1 };
	struct explore_result r;

	running = p;
	found = out;
	engine->on_complete = collect;
	memory_snapshot();
	/* a restart throws its classes away */
	do {
		classes_free(out);
		explore_run(&opt, &r);
	} while (r.restarts);
	*blocked = r.blocked;
	*shared = 0;
	for (int l = 0; l < engine->nr_loc; l++)
		if (word_of(engine->loc[l].addr) >= 0)
			*shared |= 1u << word_of(engine->loc[l].addr);
	memory_forget();
}

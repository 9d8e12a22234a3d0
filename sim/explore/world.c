// SPDX-License-Identifier: GPL-2.0-only
/*
 * world.c - what this world supplies behind the kernel API (sim/world.h).
 *
 * Every primitive is said in terms of reads, writes, RMWs and awaits on words of
 * the scenario's own memory, so that the search needs to know none of them:
 *
 *	lock		await word == 0, write 1
 *	schedule	await state == 0
 *	timer		a daemon thread: await PENDING, claim it, run
 *	callback, work	a thread of its own
 *
 * RCU is in sections.c.
 */
#include "hook.h"

#include "blame.h"
#include "cpu.h"
#include "ledger.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

#define PC __builtin_return_address(0)

void sim_set_current(struct task_struct *t);

static unsigned int hook_order(enum sim_order order)
{
	static const unsigned int map[] = {
		[SIM_RELAXED] = 0,
		[SIM_ACQUIRE] = HOOK_ACQUIRE,
		[SIM_RELEASE] = HOOK_RELEASE,
		[SIM_FULL] = HOOK_FULL,
		[SIM_ADDRESS] = HOOK_ADDRESS,
	};

	return map[order];
}

/* ---- accesses ----------------------------------------------------------------- */

unsigned long sim_load(const volatile void *p, int size, enum sim_order order)
{
	return hook_read((uintptr_t)p, size, OP_READ | hook_order(order), PC);
}

void sim_store(volatile void *p, int size, unsigned long v,
	       enum sim_order order)
{
	hook_write((uintptr_t)p, size, v, OP_WRITE | hook_order(order), PC);
}

unsigned long sim_rmw(volatile void *p, int size, enum sim_rmw op,
		      unsigned long operand, unsigned long expected,
		      enum sim_order order)
{
	static const struct {
		enum explore_op op;
		enum rmw_kind rmw;
	} map[] = {
		[SIM_XCHG] = { OP_XCHG, RMW_XCHG },
		[SIM_ADD] = { OP_ADD, RMW_ADD },
		[SIM_AND] = { OP_AND, RMW_AND },
		[SIM_OR] = { OP_OR, RMW_OR },
		[SIM_XOR] = { OP_XOR, RMW_XOR },
		[SIM_CMPXCHG] = { OP_CMPXCHG, RMW_XCHG },
		[SIM_ADD_UNLESS] = { OP_ADD, RMW_ADD },
	};
	struct hook_op h = { .op = map[op].op | hook_order(order),
			     .rmw = map[op].rmw,
			     .operand = operand };

	if (op == SIM_CMPXCHG || op == SIM_ADD_UNLESS) {
		h.mask = ~0ul;
		h.want = expected;
		h.negate = op == SIM_ADD_UNLESS;
	}
	return hook_rmw((uintptr_t)p, size, &h, PC);
}

void sim_fence(enum sim_fence kind)
{
	static const enum event_order map[] = {
		[SIM_MB] = ORDER_MB,
		[SIM_WMB] = ORDER_WMB,
		[SIM_RMB] = ORDER_RMB,
		/* beside an RMW, where the kernel allows it only */
		[SIM_MB_ATOMIC] = ORDER_MB,
	};

	hook_barrier(map[kind], PC);
}

unsigned long sim_await(const volatile void *p, int size,
			const struct sim_cond *until, enum sim_order order)
{
	return hook_rmw((uintptr_t)p, size,
			&(struct hook_op){ .op = OP_READ | hook_order(order),
					   .rmw = RMW_NONE,
					   .mask = until->mask,
					   .want = until->want,
					   .negate = until->negate,
					   .await = true,
					   .plain_await = true },
			PC);
}

void sim_may_race(int on)
{
	if (engine->cur >= 0)
		engine->t[engine->cur].may_race += on ? 1 : -1;
}

void sim_seqcount_reads(int on)
{
	struct thread *t;

	if (engine->cur < 0)
		return;
	t = &engine->t[engine->cur];
	t->seq_reads = on ? t->depth : 0;
}

void sim_seqcount_writes(int on)
{
	if (engine->cur >= 0)
		engine->t[engine->cur].seq_writes += on ? 1 : -1;
}

/* ---- threads -------------------------------------------------------------------- */

struct task_struct *sim_current(void)
{
	struct thread *t;

	if (engine->cur < 0)
		return engine->setup_current;
	t = &engine->t[engine->cur];
	if (!t->current)
		t->current = memory_alloc(SIM_TASK_BYTES, "struct task_struct");
	return t->current;
}

void sim_set_current(struct task_struct *t)
{
	if (engine->cur < 0)
		engine->setup_current = t;
	else
		engine->t[engine->cur].current = t;
}

int sim_thread(void)
{
	return engine->cur < 0 ? 0 : engine->cur;
}

/* ---- locks ------------------------------------------------------------------------ */

/* linux-kernel.cat knows spin locks only (po-unlock-lock-po). */
static unsigned int lock_order(enum sim_lock_kind kind)
{
	return kind == SIM_SPINLOCK ? HOOK_SPIN : 0;
}

static bool lock_word(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
		      bool await, const void *pc)
{
	struct hook_op h = { .op = OP_LOCK | HOOK_ACQUIRE | lock_order(kind),
			     .rmw = RMW_ADD,
			     .operand = shared ? 2 : 1,
			     .mask = shared ? 1 : ~0ul,
			     .await = await };
	unsigned long old = hook_rmw((uintptr_t)&l->word, 8, &h, pc);

	return (old & h.mask) == 0;
}

void hook_lock(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
	       const void *pc)
{
	ledger_wants(l, kind, shared, pc);
	lock_word(l, kind, shared, true, pc);
	ledger_takes(l, kind, shared, pc);
}

bool hook_trylock(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
		  const void *pc)
{
	if (!lock_word(l, kind, shared, false, pc))
		return false;
	ledger_takes(l, kind, shared, pc);
	return true;
}

void hook_unlock(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
		 const void *pc)
{
	unsigned int op = OP_UNLOCK | HOOK_RELEASE | lock_order(kind);

	ledger_may_drop(l, shared, pc);
	if (shared)
		hook_rmw((uintptr_t)&l->word, 8,
			 &(struct hook_op){
				 .op = op, .rmw = RMW_ADD, .operand = -2ul },
			 pc);
	else
		hook_write((uintptr_t)&l->word, 8, 0, op, pc);
	ledger_drops(l, shared);
}

void sim_lock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	hook_lock(l, kind, shared, PC);
}

int sim_trylock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	return hook_trylock(l, kind, shared, PC);
}

void sim_unlock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	hook_unlock(l, kind, shared, PC);
}

/* ---- sleeping ---------------------------------------------------------------------- */

/* Switching to another task and back is a full barrier. */
void sim_schedule(unsigned int *state)
{
	ledger_may_sleep(OP_SLEEP, state, PC);
	hook_fence(PC);
	hook_rmw((uintptr_t)state, 4,
		 &(struct hook_op){ .op = OP_SLEEP,
				    .rmw = RMW_NONE,
				    .mask = ~0u,
				    .await = true },
		 PC);
	hook_fence(PC);
}

int sim_wake(struct task_struct *task, unsigned int *state, unsigned int mask)
{
	unsigned long old;

	(void)task;
	old = hook_rmw((uintptr_t)state, 4,
		       &(struct hook_op){ .op = OP_WAKE | HOOK_FULL,
					  .rmw = RMW_XCHG,
					  .mask = mask,
					  .negate = true },
		       PC);
	return (old & mask) != 0;
}

/* ---- timers -------------------------------------------------------------------------- */

static void run_timer_function(struct deferred *d)
{
	cpu_softirq(true);
	ledger_timer_runs(d->extra);
	d->func(d->object);
	ledger_ends();
	cpu_softirq(false);
}

/* What a CPU does with a timer of its own that it finds in time. */
static void pinned_timer(void *arg)
{
	unsigned long *word = sim_timer_pinned(arg);
	struct hook_op claim = { .op = OP_TIMER_FIRE | HOOK_ACQUIRE,
				 .rmw = RMW_XOR,
				 .operand = SIM_TIMER_PENDING |
					    SIM_TIMER_RUNNING,
				 .mask = SIM_TIMER_PENDING | SIM_TIMER_RUNNING,
				 .want = SIM_TIMER_PENDING };

	if ((hook_rmw((uintptr_t)word, 8, &claim, PC) & claim.mask) !=
	    claim.want)
		return; /* somebody has deleted it */
	ledger_timer_runs(word);
	sim_timer_run(arg);
	if (!ledger_timer_is_gone())
		hook_rmw((uintptr_t)word, 8,
			 &(struct hook_op){ .op = OP_TIMER_DONE | HOOK_RELEASE,
					    .rmw = RMW_AND,
					    .operand = ~SIM_TIMER_RUNNING },
			 PC);
}

static void timer_thread(void *arg)
{
	struct deferred *d = arg;
	uintptr_t word = (uintptr_t)d->extra;

	for (;;) {
		/* who arms and who runs the timer hold its base's lock */
		hook_rmw(word, 8,
			 &(struct hook_op){ .op = OP_TIMER_FIRE | HOOK_ACQUIRE,
					    .rmw = RMW_XOR,
					    .operand = SIM_TIMER_PENDING |
						       SIM_TIMER_RUNNING,
					    .mask = SIM_TIMER_PENDING |
						    SIM_TIMER_RUNNING,
					    .want = SIM_TIMER_PENDING,
					    .await = true },
			 PC);
		run_timer_function(d);
		if (ledger_timer_is_gone())
			return;
		hook_rmw(word, 8,
			 &(struct hook_op){ .op = OP_TIMER_DONE | HOOK_RELEASE,
					    .rmw = RMW_AND,
					    .operand = ~SIM_TIMER_RUNNING },
			 PC);
	}
}

static void run_timer(void *timer)
{
	sim_timer_run(timer);
}

int sim_timer_mod(struct timer_list *timer, unsigned long *word,
		  unsigned long delay)
{
	bool pinned = sim_timer_pinned(timer);
	struct thread *t;
	unsigned int i;
	unsigned long old;

	(void)delay;
	if (engine->cur < 0)
		sim_bug("a timer is armed in set-up", __FILE__, __LINE__);
	t = &engine->t[engine->cur];
	for (i = 0; i < t->nr_deferred; i++)
		if (t->deferred[i].object == timer)
			break;
	ledger_timer_armed(word);
	if (i == t->nr_deferred && !pinned)
		hook_defer("timer", timer_thread, timer, word, run_timer, true,
			   PC);
	old = hook_rmw((uintptr_t)word, 8,
		       &(struct hook_op){ .op = OP_TIMER_ARM | HOOK_RELEASE,
					  .rmw = RMW_OR,
					  .operand = SIM_TIMER_PENDING },
		       PC);
	if (pinned && !cpu_is_expected(pinned_timer, timer))
		cpu_expect("timer", pinned_timer, timer, false);
	return old & SIM_TIMER_PENDING;
}

int sim_timer_delete_sync(struct timer_list *timer, unsigned long *word)
{
	unsigned long old;

	old = hook_rmw((uintptr_t)word, 8,
		       &(struct hook_op){ .op = OP_TIMER_DELETE | HOOK_ACQUIRE,
					  .rmw = RMW_AND,
					  .operand = ~SIM_TIMER_PENDING,
					  .mask = SIM_TIMER_RUNNING,
					  .await = true },
		       PC);
	cpu_forget(pinned_timer, timer);
	return old & SIM_TIMER_PENDING;
}

/* ---- work, memory, the rest ----------------------------------------------------------- */

static void work_thread(void *arg)
{
	struct deferred *d = arg;

	d->func(d->object);
}

int sim_work_number(void)
{
	int n = engine->cur < 0 ? 0 : runtime_new_thread(engine->cur);

	if (n < 0)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "more than %d threads, timers and callbacks",
			     NR_THREADS);
	return n;
}

void sim_might_sleep(void)
{
	ledger_may_sleep(OP_CALL, NULL, PC);
}

void sim_work_queue(struct work_struct *work,
		    void (*func)(struct work_struct *work))
{
	if (engine->cur < 0) {
		func(work);
		return;
	}
	hook_defer("work", work_thread, work, NULL, (void (*)(void *))func,
		   false, PC);
}

void *sim_alloc(unsigned long size, int zero, const char *type,
		unsigned int how)
{
	void *p;

	/* fresh memory is zero: nothing is used twice in an execution */
	(void)zero;
	if (how & SIM_ALLOC_SLEEPS)
		ledger_may_sleep(OP_CALL, NULL, PC);
	if (!(how & SIM_ALLOC_NOFAIL) && hook_alloc_fails(PC))
		return NULL;
	p = memory_alloc(size, type);
	if (p)
		memory_get(memory_object((uintptr_t)p))->site = blame_site(PC);
	return p;
}

unsigned long sim_alloc_size(const void *p)
{
	int o = memory_object((uintptr_t)p);

	return o < 0 ? 0 : memory_get(o)->size;
}

void sim_free(const void *p)
{
	if (engine->mode == RUN_SETUP)
		return;
	runtime_free(p, PC);
	if (p)
		ledger_frees(memory_object((uintptr_t)p), PC);
}

unsigned long sim_jiffies(void)
{
	return 0;
}

void sim_bug(const char *what, const char *file, int line)
{
	if (engine->cur < 0)
		runtime_refuse("%s:%d: BUG in set-up: %s", file, line, what);
	runtime_fail(FIND_ASSERT, file, line, "BUG_ON(%s)", what);
}

void sim_warn(const char *what, const char *file, int line)
{
	if (engine->cur < 0)
		runtime_refuse("%s:%d: WARN in set-up: %s", file, line, what);
	runtime_fail(FIND_WARN, file, line, "WARN_ON(%s)", what);
}

void sim_printk(const char *fmt, ...)
{
	/* a run is repeated for every execution: it says nothing */
	(void)fmt;
}

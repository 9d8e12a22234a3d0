// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpu.c - the handlers that are still to come, and what holds them back.
 *
 * A hard interrupt waits while interrupts are off, and they are in its handler; a
 * softirq waits while bottom halves are off, too, and interrupts only what is neither.
 * Neither comes between the halves of a read-modify-write.
 */
#include "cpu.h"

#include "blame.h"
#include "ledger.h"

#include "trapline/scenario.h"

#include <string.h>

/* Beside those of the threads that a run starts with. */
#define SPARE_CPUS 4

/* arena.ld: the variables of CPU 0; a copy of that for each other CPU follows. */
extern char trapline_percpu_start[] __attribute__((weak));
extern char trapline_percpu_stop[] __attribute__((weak));

#define PC __builtin_return_address(0)

extern const struct trapline_irq __start_trapline_irqs[] __attribute__((weak));
extern const struct trapline_irq __stop_trapline_irqs[] __attribute__((weak));

static bool stands_before(const struct trapline_irq *a,
			  const struct trapline_irq *b)
{
	return a->line < b->line || (a->line == b->line && a < b);
}

/* How many handlers stand before this one in the file; all: NULL. */
static int count_before(const struct trapline_irq *irq)
{
	const struct trapline_irq *s;
	int n = 0;

	for (s = __start_trapline_irqs; s < __stop_trapline_irqs; s++)
		if (!irq || stands_before(s, irq))
			n += s->times;
	return n;
}

int cpu_count_handlers(void)
{
	return count_before(NULL);
}

static void run_handler(void *arg)
{
	((const struct trapline_irq *)arg)->fn();
}

static void announce(int n, const char *name, void (*fn)(void *), void *arg,
		     int cpu)
{
	struct thread *t = &engine->t[n];

	t->state = THREAD_COMING;
	t->name = name;
	t->fn = fn;
	t->arg = arg;
	t->daemon = true;
	t->cpu = (struct cpu_state){ .number = cpu, .interrupted = -1 };
	t->due = false;
	t->after = -1;
	t->pending = (struct request){ .ev = { .kind = EV_CREATE,
					       .op = OP_IRQ,
					       .loc = -1,
					       .object = -1 } };
	engine->nr_coming++;
}

void cpu_start_handlers(int first)
{
	const struct trapline_irq *s;

	for (s = __start_trapline_irqs; s < __stop_trapline_irqs; s++) {
		int n = first + count_before(s);

		for (unsigned int i = 0; i < s->times; i++, n++) {
			struct thread *t = &engine->t[n];

			announce(n, s->name, run_handler, (void *)s,
				 runtime_static_number(s->on));
			t->cpu.level = LEVEL_HARDIRQ;
			t->due = s->once;
			t->daemon = !s->once;
			/* one like the other: the first is the first */
			t->after = i ? n - 1 : -1;
		}
	}
}

void cpu_own(int n)
{
	engine->t[n].cpu = (struct cpu_state){ .number = n, .interrupted = -1 };
	engine->top[n] = n;
}

/* The softirq fn(arg) that is to come to the running thread's CPU, or -1. */
static int find(void (*fn)(void *), const void *arg)
{
	int cpu = engine->t[engine->cur].cpu.number;

	for (int h = 0; engine->nr_coming && h < engine_threads(); h++) {
		const struct thread *t = &engine->t[h];

		if (t->state == THREAD_COMING && t->cpu.number == cpu &&
		    t->fn == fn && t->arg == arg)
			return h;
	}
	return -1;
}

void cpu_expect(const char *name, void (*fn)(void *), void *arg, bool due)
{
	struct thread *t = &engine->t[engine->cur];
	int n = runtime_new_thread(engine->cur);

	if (n < 0)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "more than %d threads, timers and callbacks",
			     NR_THREADS);
	t->nr_created++;
	announce(n, name, fn, arg, t->cpu.number);
	engine->t[n].cpu.level = LEVEL_SOFTIRQ;
	engine->t[n].due = due;
	engine->t[n].daemon = !due;
}

bool cpu_is_expected(void (*fn)(void *), const void *arg)
{
	return find(fn, arg) >= 0;
}

void cpu_forget(void (*fn)(void *), const void *arg)
{
	int h = engine->cur < 0 ? -1 : find(fn, arg);

	if (h < 0)
		return;
	engine->t[h].state = THREAD_UNUSED;
	engine->nr_coming--;
}

/* ---- may it come? --------------------------------------------------------------- */

int cpu_victim(int h)
{
	return engine->top[engine->t[h].cpu.number];
}

/* Do the victim's own settings let it? */
static bool lets_in(const struct cpu_state *on, enum cpu_level level)
{
	if (on->irqs_off || on->level == LEVEL_HARDIRQ)
		return false;
	return level == LEVEL_HARDIRQ ||
	       (on->level == LEVEL_TASK && !(on->count & SIM_SOFTIRQ_MASK));
}

static bool is_expected(int h)
{
	const struct thread *t = &engine->t[h];

	return t->state == THREAD_COMING &&
	       (t->after < 0 || engine->t[t->after].state != THREAD_COMING) &&
	       lets_in(&engine->t[cpu_victim(h)].cpu, t->cpu.level);
}

bool cpu_may_come(int h)
{
	const struct thread *v = &engine->t[cpu_victim(h)];
	const struct event *e = &v->pending.ev;

	return is_expected(h) && v->state == THREAD_PENDING &&
	       e->op != OP_IRET &&
	       !(e->kind == EV_WRITE && (e->flags & EVF_RMW));
}

bool cpu_is_due(int h)
{
	return engine->t[h].due && is_expected(h);
}

bool cpu_is_waited_for(int n)
{
	for (int h = cpu_next(n, -1); h >= 0; h = cpu_next(n, h))
		if (engine->t[h].due)
			return true;
	return false;
}

int cpu_next(int n, int after)
{
	for (int h = after + 1; engine->nr_coming && h < engine_threads(); h++)
		if (engine->t[h].state == THREAD_COMING && cpu_victim(h) == n &&
		    cpu_may_come(h))
			return h;
	return -1;
}

/* Of the running thread. */
static struct cpu_state *here(void)
{
	static struct cpu_state setup;

	return engine->cur < 0 ? &setup : &engine->t[engine->cur].cpu;
}

/* ---- it comes -------------------------------------------------------------------- */

void cpu_enter(int h)
{
	struct thread *t = &engine->t[h];

	engine->nr_coming--;
	runtime_start(h, t->name, t->fn, t->arg, false);
	/* that of whom it interrupts, who may not have asked for it yet */
	t->current = sim_current();
	t->cpu.interrupted = engine->cur;
	t->cpu.irqs_off = t->cpu.level == LEVEL_HARDIRQ;
	engine->top[t->cpu.number] = h;
}

void cpu_leave(int h)
{
	engine->top[engine->t[h].cpu.number] = engine->cur;
}

void cpu_point(enum explore_op op)
{
	struct request q = {
		.ev = { .kind = EV_POINT, .op = op, .loc = -1, .object = -1 }
	};

	for (int h = 0; engine->nr_coming && h < engine_threads(); h++) {
		if (!is_expected(h) || cpu_victim(h) != engine->cur ||
		    (op == OP_BH_OFF &&
		     engine->t[h].cpu.level == LEVEL_HARDIRQ))
			continue;
		runtime_point(&q);
		return;
	}
}

void cpu_softirq(bool on)
{
	engine->t[engine->cur].cpu.level = on ? LEVEL_SOFTIRQ : LEVEL_TASK;
}

bool cpu_lets_softirqs_in(void)
{
	return lets_in(here(), LEVEL_SOFTIRQ);
}

/* ---- what the kernel's headers ask ------------------------------------------------ */

/* A number that holds from the start on: who comes later finds its CPU there. */
int sim_nr_cpus(void)
{
	return engine->nr_static + SPARE_CPUS;
}

int sim_cpu(void)
{
	int cpu = here()->number;

	if (cpu >= sim_nr_cpus())
		runtime_fail(
			FIND_UNSUPPORTED, NULL, 0,
			"more than %d timers, callbacks and created threads "
			"that ask which CPU is theirs",
			SPARE_CPUS);
	return cpu;
}

/* As it is when a kernel starts: every CPU has what the linker put there. */
void cpu_copy_variables(void)
{
	size_t size = trapline_percpu_stop - trapline_percpu_start;

	for (int i = 1; size && i < NR_THREADS; i++)
		memcpy(trapline_percpu_start + i * size, trapline_percpu_start,
		       size);
}

bool explore_percpu(uintptr_t *addr, int *cpu)
{
	uintptr_t start = (uintptr_t)trapline_percpu_start;
	size_t size = trapline_percpu_stop - trapline_percpu_start;

	if (!size || *addr < start || *addr - start >= size * NR_THREADS)
		return false;
	*cpu = (*addr - start) / size;
	*addr -= *cpu * size;
	return true;
}

void *sim_percpu_copy(const void *p, int cpu)
{
	return (char *)p + cpu * (trapline_percpu_stop - trapline_percpu_start);
}

int sim_irqs_disabled(void)
{
	return here()->irqs_off;
}

unsigned int sim_preempt_count(void)
{
	static const unsigned int level[] = {
		[LEVEL_TASK] = 0,
		[LEVEL_SOFTIRQ] = SIM_SOFTIRQ_SERVING,
		[LEVEL_HARDIRQ] = SIM_HARDIRQ,
	};
	unsigned int sum = 0;

	for (int t = engine->cur; t >= 0; t = engine->t[t].cpu.interrupted) {
		const struct cpu_state *c = &engine->t[t].cpu;

		sum += level[c->level] + c->count;
	}
	return sum;
}

unsigned long sim_irqs_off(void)
{
	struct cpu_state *c = here();

	if (c->irqs_off)
		return 1;
	if (engine->cur >= 0) {
		access_settle();
		cpu_point(OP_IRQ_OFF);
		c->off_at[OFF_IRQS] = blame_site(PC);
	}
	c->irqs_off = true;
	return 0;
}

void sim_irqs_restore(unsigned long were_off)
{
	if (engine->cur >= 0)
		access_settle();
	here()->irqs_off = were_off;
	if (cpu_lets_softirqs_in())
		ledger_lets_softirqs_in(PC);
}

void sim_preempt_add(int n)
{
	struct cpu_state *c = here();
	bool bh = (unsigned int)(n < 0 ? -n : n) & SIM_SOFTIRQ_MASK;

	if (engine->cur >= 0) {
		access_settle();
		if (bh && !(c->count & SIM_SOFTIRQ_MASK))
			cpu_point(OP_BH_OFF);
		if (n > 0)
			c->off_at[bh ? OFF_BH : OFF_PREEMPT] = blame_site(PC);
	}
	c->count += n;
	if (n < 0 && cpu_lets_softirqs_in())
		ledger_lets_softirqs_in(PC);
}

void sim_softirq_raise(void (*fn)(void *arg), void *arg)
{
	if (engine->cur < 0)
		runtime_refuse("a softirq is raised in set-up");
	access_settle();
	if (find(fn, arg) < 0)
		cpu_expect("softirq", fn, arg, true);
}

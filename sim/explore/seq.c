// SPDX-License-Identifier: GPL-2.0-only
/*
 * seq.c - one run on real memory, one operation at a time, as a chooser decides.
 *
 * This is the plain machine: no graph, sequential consistency by construction. It
 * replays schedules, and before a search it finds out what threads share.
 */
#include "cpu.h"
#include "ledger.h"
#include "sites.h"
#include "trapline/scenario.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_STEPS 1000000

extern void trapline_scenario_setup(void) __attribute__((weak));
extern const struct trapline_thread __start_trapline_threads[]
	__attribute__((weak));

/* ---- stepping ------------------------------------------------------------------ */

bool seq_may_move(int n)
{
	const struct thread *t = &engine->t[n];
	const struct event *e = &t->pending.ev;

	if (t->state == THREAD_COMING)
		return cpu_may_come(n);
	if (t->state != THREAD_PENDING)
		return false;
	if (e->op == OP_IDLE)
		return !cpu_is_waited_for(n);
	return runtime_joined(n, e);
}

static bool is_ready(int n)
{
	const struct thread *t = &engine->t[n];
	const struct event *e = &t->pending.ev;

	if (!seq_may_move(n))
		return false;
	if (t->state == THREAD_COMING)
		return true;
	if (e->flags & EVF_AWAIT)
		return condition_holds(e, memory_read(e->addr, e->size));
	return !spin_turns_in_vain(n);
}

/* About to do something, if only to wait for ever, alone or in a loop. */
static bool is_about(const struct thread *t)
{
	return t->state == THREAD_PENDING || t->state == THREAD_COMING ||
	       (t->state == THREAD_BLOCKED && (t->alone || t->spins_from >= 0));
}

void seq_describe(int n, bool ready, struct explore_step *s)
{
	const struct thread *t = &engine->t[n];
	const struct event *e = &t->pending.ev;

	*s = (struct explore_step){
		.thread = n, .op = OP_END, .rf_thread = -1, .blocked = true
	};
	if (!is_about(t))
		return;
	s->op = e->op;
	s->addr = e->addr;
	s->size = e->size;
	s->peer = t->state == THREAD_COMING ? cpu_victim(n) : e->peer;
	s->old = e->kind == EV_CHOOSE ? e->operand : 0;
	s->pc = t->pending.pc;
	s->shared = e->loc >= 0 || e->kind == EV_FREE;
	s->reads = e->kind == EV_READ;
	s->blocked = !ready;
	while (s->depth < t->depth && s->depth < EXPLORE_STACK_MAX) {
		s->stack[s->depth] = t->shadow[t->depth - 1 - s->depth];
		s->depth++;
	}
}

static void describe(int n, struct explore_step *s)
{
	seq_describe(n, is_ready(n), s);
}

struct explore_step *seq_new_step(struct explore_result *out)
{
	if (out->nr_steps % 1024 == 0) {
		out->steps = realloc(out->steps, (out->nr_steps + 1024) *
							 sizeof(*out->steps));
		if (!out->steps)
			abort();
	}
	return &out->steps[out->nr_steps++];
}

/* Perform the pending operation of thread n and run it to its next. */
static void perform(int n, const struct explore_chooser *c,
		    struct explore_result *out)
{
	struct thread *t = &engine->t[n];
	struct event e = t->pending.ev;
	struct explore_step *s = NULL;
	uint64_t val;

	if (out) {
		s = seq_new_step(out);
		describe(n, s);
		s->blocked = false;
	}
	engine->nr_steps = out ? out->nr_steps : 0;
	engine->ret = 0;
	if (t->state == THREAD_COMING) {
		runtime_interrupt(cpu_victim(n), n, -1);
		return;
	}
	if (e.kind == EV_READ) {
		engine->ret = memory_read(e.addr, e.size);
		if (rmw_result(&e, engine->ret, &val)) {
			memory_write(e.addr, e.size, val);
			if (s) {
				s->wrote = true;
				s->val = val;
			}
		}
		if (s)
			s->old = engine->ret;
	} else if (e.kind == EV_WRITE) {
		memory_write(e.addr, e.size, e.val);
		if (s) {
			s->wrote = true;
			s->val = e.val;
		}
	} else if (e.kind == EV_CREATE) {
		engine->ret = runtime_new_thread(n);
		if (s)
			s->peer = engine->ret;
	} else if (e.kind == EV_CHOOSE && c->choose) {
		struct explore_step ask;

		describe(n, &ask);
		engine->ret = c->choose(c->arg, &ask);
		if (s)
			s->val = engine->ret;
	}
	t->state = THREAD_RUNNABLE;
	runtime_resume(n);
}

static bool anybody_ready(void)
{
	for (int i = 0; i < engine_threads(); i++)
		if (is_ready(i))
			return true;
	return false;
}

static void run(const struct explore_chooser *c, struct explore_result *out)
{
	struct explore_step pending[NR_THREADS];
	int n = 0;

	graph_clear(engine->g);
	runtime_begin_run();
	for (int steps = 0; !engine->stop; steps++) {
		runtime_settle();
		if (engine->stop || !anybody_ready())
			break;
		for (int i = 0; i < engine_threads(); i++)
			describe(i, &pending[i]);
		n = c->pick(c->arg, pending, explore_nr_threads());
		if (n < 0 || !is_ready(n) || steps == MAX_STEPS) {
			engine->stop = STOP_CHOICE;
			break;
		}
		perform(n, c, out);
	}
}

/* ---- discovery ------------------------------------------------------------------- */

struct discovery {
	int kind, last;
};

/* Lowest first, highest first, and taking turns. */
static int pick_discovery(void *arg, const struct explore_step *p, int n)
{
	struct discovery *d = arg;

	for (int i = 0; i < n; i++) {
		int t = d->kind == 0   ? i
			: d->kind == 1 ? n - 1 - i
				       : (d->last + 1 + i) % n;

		if (p[t].op == OP_END || p[t].blocked)
			continue;
		d->last = t;
		return t;
	}
	return -1;
}

bool seq_discover(void)
{
	bool refused = false;
	struct graph *g = engine->g;

	engine->mode = RUN_SEQUENTIAL;
	engine->g = graph_new(64, 0);
	if (!engine->g)
		abort();
	for (int kind = 0; kind < 3 && !refused; kind++) {
		struct discovery d = { .kind = kind };
		struct explore_chooser c = { .pick = pick_discovery,
					     .arg = &d };

		run(&c, NULL);
		refused = engine->stop == STOP_TIME ||
			  (engine->stop == STOP_VIOLATION &&
			   engine->res.finding == FIND_UNSUPPORTED);
	}
	graph_free(engine->g);
	engine->g = g;
	if (refused)
		return false;
	engine->stop = STOP_NONE;
	memset(&engine->res, 0, sizeof(engine->res));
	engine->res.thread = -1;
	return true;
}

enum explore_verdict seq_not_discovered(void)
{
	return engine->stop == STOP_TIME ? EXPLORE_UNDECIDED : EXPLORE_REFUSED;
}

/* ---- the public run ----------------------------------------------------------------- */

void seq_describe_stuck(struct explore_result *out)
{
	for (int i = 0; i < engine_threads(); i++) {
		if (is_about(&engine->t[i]) && !engine->t[i].daemon)
			seq_describe(i, false, seq_new_step(out));
	}
}

void seq_take_finding(struct explore_result *out)
{
	out->finding = engine->res.finding;
	memcpy(out->message, engine->res.message, sizeof(out->message));
	out->file = engine->res.file;
	out->line = engine->res.line;
	out->thread = engine->res.thread;
	out->bad_addr = engine->res.bad_addr;
}

static void judge(struct explore_result *out)
{
	struct explore_step step;
	bool over = true;

	for (int i = 0; i < engine_threads(); i++)
		over &= engine->t[i].daemon || runtime_thread_over(i);
	if (!engine->stop && over && !leak_look() &&
	    ledger_accuse(&out->nr_steps))
		engine->stop = STOP_VIOLATION;
	if (engine->stop == STOP_VIOLATION) {
		ledger_explain();
		if (ledger_step(&step))
			*seq_new_step(out) = step;
		out->verdict = engine->res.finding == FIND_UNSUPPORTED
				       ? EXPLORE_REFUSED
				       : EXPLORE_VIOLATED;
		return;
	}
	if (engine->stop == STOP_CHOICE || engine->stop == STOP_TIME) {
		out->verdict = EXPLORE_UNDECIDED;
		return;
	}
	for (int i = 0; i < engine_threads(); i++)
		if (engine->t[i].assumed)
			out->blocked = 1;
	if (out->blocked) {
		out->verdict = EXPLORE_UNDECIDED;
		return;
	}
	if (over) {
		out->verdict = EXPLORE_HOLDS;
		out->executions = 1;
		return;
	}
	seq_describe_stuck(out);
	runtime_deadlock();
	lost_explain(out);
	out->verdict = EXPLORE_VIOLATED;
}

bool seq_begin(const struct explore_chooser *c)
{
	bool good;

	order_forget();
	ledger_be_strict(false);
	good = seq_discover();
	engine->g = graph_new(64, 0);
	if (!engine->g)
		abort();
	engine->calls = c->calls;
	return good;
}

void seq_one(const struct explore_chooser *c, struct explore_result *out)
{
	struct explore_result r = { .thread = -1, .steps = out->steps };

	memset(&engine->res, 0, sizeof(engine->res));
	engine->res.thread = -1;
	engine->mode = RUN_SEQUENTIAL;
	run(c, &r);
	r.threads = explore_nr_threads();
	judge(&r);
	seq_take_finding(&r);
	*out = r;
}

void seq_end(void)
{
	graph_free(engine->g);
	engine->g = NULL;
	engine->mode = RUN_OFF;
}

void explore_sequential(const struct explore_chooser *c,
			struct explore_result *out)
{
	out->steps = NULL;
	engine->leaks = c->leaks;
	seq_begin(c);
	seq_one(c, out);
	seq_end();
}

/* ---- set-up ----------------------------------------------------------------------------- */

static void on_fault(int sig, siginfo_t *si, void *context)
{
	uintptr_t addr = (uintptr_t)si->si_addr;
	size_t size;
	(void)context;

	if (engine->mode == RUN_SETUP)
		runtime_refuse("the scenario's set-up crashes: %s",
			       strsignal(sig));
	if (engine->cur < 0) {
		signal(sig, SIG_DFL);
		raise(sig);
		return;
	}
	access_forget();
	if (memory_on_stack(addr, engine->cur) &&
	    addr < (uintptr_t)memory_stack(engine->cur, &size))
		runtime_fail(FIND_CRASH, NULL, 0,
			     "the stack overflows: it has %zu MiB", size >> 20);
	engine->res.bad_addr = addr;
	runtime_fail(FIND_CRASH, NULL, 0, "%s: %s",
		     sig == SIGSEGV  ? "SIGSEGV"
		     : sig == SIGBUS ? "SIGBUS"
		     : sig == SIGFPE ? "SIGFPE"
				     : "SIGILL",
		     si->si_code == SI_KERNEL ? "a wild pointer is followed"
		     : addr < 4096	      ? "a null pointer is followed"
					      : "the scenario crashes");
}

static int catch_faults(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	struct sigaction sa = { .sa_sigaction = on_fault,
				.sa_flags = SA_SIGINFO | SA_NODEFER |
					    SA_ONSTACK };
	stack_t ss = { .ss_size = 64 << 10 };

	ss.ss_sp = malloc(ss.ss_size);
	if (!ss.ss_sp || sigaltstack(&ss, NULL))
		return -errno;
	for (unsigned int i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
	clock_watch();
	return site_init();
}

int explore_init(void (*program)(void *), void *arg)
{
	int err;

	engine = mmap(NULL, sizeof(*engine), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (engine == MAP_FAILED)
		return -errno;
	engine->cur = -1;
	engine->cap = 64;
	err = memory_init();
	if (!err)
		err = frontier_init();
	if (!err)
		err = catch_faults();
	if (err)
		return err;
	if (!program && !__start_trapline_threads) {
		program = runtime_plain_main();
		if (!program)
			return -ENOEXEC;
	}
	engine->program = program;
	engine->program_arg = arg;
	if (!runtime_number_static_threads())
		runtime_refuse("more than %d threads", NR_THREADS);
	cpu_copy_variables();
	engine->mode = RUN_SETUP;
	runtime_construct();
	if (trapline_scenario_setup)
		trapline_scenario_setup();
	engine->mode = RUN_OFF;
	memory_snapshot();
	return 0;
}

/* ---- questions ----------------------------------------------------------------------------- */

int explore_nr_threads(void)
{
	int n = 0;

	for (int i = 0; i < engine_threads(); i++)
		if (engine->t[i].state != THREAD_UNUSED)
			n = i + 1;
	return n;
}

bool explore_thread_is_daemon(int thread)
{
	return engine->t[thread].daemon;
}

const char *explore_thread_name(int thread)
{
	static char buf[NR_THREADS][40];
	const char *name = engine->t[thread].name;
	int same = 1;

	if (!name)
		return "?";
	for (int i = 0; i < thread; i++)
		if (engine->t[i].name && !strcmp(engine->t[i].name, name))
			same++;
	if (same == 1)
		return name;
	snprintf(buf[thread], sizeof(buf[thread]), "%s%d", name, same);
	return buf[thread];
}

const char *explore_op_name(enum explore_op op)
{
	static const char *const names[] = {
#define X(id, text) [id] = text,
		EXPLORE_OPS(X)
#undef X
	};

	return op < EXPLORE_NR_OPS ? names[op] : "?";
}

static bool same_type(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool explore_find_object(uintptr_t addr, struct explore_object *out)
{
	int o = memory_object(addr);
	struct object *obj;

	memset(out, 0, sizeof(*out));
	out->thread = -1;
	for (int t = 0; t < engine_threads(); t++)
		if (memory_on_stack(addr, t)) {
			out->kind = OBJECT_STACK;
			out->thread = t;
			out->base = (uintptr_t)memory_stack(t, &out->size);
			return true;
		}
	if (o < 0) {
		out->kind = OBJECT_GLOBAL;
		return memory_is_global(addr);
	}
	obj = memory_get(o);
	out->kind = OBJECT_HEAP;
	out->type = obj->type;
	out->base = obj->base;
	out->size = obj->size;
	out->freed = obj->freed || obj->free_event >= 0;
	if (o / HEAP_OBJECTS != SETUP_HEAP)
		out->thread = o / HEAP_OBJECTS;
	/* set-up's objects first, then by thread */
	for (int h = -1; h < engine_threads(); h++) {
		int heap = h < 0 ? SETUP_HEAP : h;
		int n = memory_nr_objects(heap);

		for (int k = 0; k < n; k++) {
			if (same_type(engine->objects[heap][k].type, obj->type))
				out->number++;
			if (&engine->objects[heap][k] == obj)
				return true;
		}
	}
	return true;
}

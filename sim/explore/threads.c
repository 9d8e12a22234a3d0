// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads.c - the threads that every run starts with, and their numbers: those of the
 * scenario as they stand in its file, its interrupt handlers, then the check; or main().
 */
#include "cpu.h"
#include "trapline/scenario.h"

extern const struct trapline_thread __start_trapline_threads[]
	__attribute__((weak));
extern const struct trapline_thread __stop_trapline_threads[]
	__attribute__((weak));
extern void trapline_scenario_check(void) __attribute__((weak));
extern int trapline_program_main(void) __attribute__((weak));

/* arena.ld: constructors and destructors of scenario files, in the order of calls */
extern void (*const trapline_init_start[])(void) __attribute__((weak));
extern void (*const trapline_init_stop[])(void) __attribute__((weak));
extern void (*const trapline_fini_start[])(void) __attribute__((weak));
extern void (*const trapline_fini_stop[])(void) __attribute__((weak));

static void call_constructors(void)
{
	for (void (*const *f)(void) = trapline_init_start;
	     f < trapline_init_stop; f++)
		(*f)();
}

static void call_destructors(void)
{
	for (void (*const *f)(void) = trapline_fini_stop;
	     f > trapline_fini_start;)
		(*--f)();
}

static void run_scenario_thread(void *arg)
{
	((const struct trapline_thread *)arg)->fn();
}

static void run_plain_main(void *arg)
{
	(void)arg;
	call_constructors();
	trapline_program_main();
	call_destructors();
}

void (*runtime_plain_main(void))(void *)
{
	return trapline_program_main ? run_plain_main : NULL;
}

void runtime_construct(void)
{
	if (engine->program != run_plain_main)
		call_constructors();
}

static void run_check(void *arg)
{
	struct request q = { .ev = { .kind = EV_JOIN_ALL,
				     .op = OP_JOIN,
				     .loc = -1,
				     .object = -1 } };

	(void)arg;
	runtime_point(&q);
	trapline_scenario_check();
}

static bool stands_before(const struct trapline_thread *a,
			  const struct trapline_thread *b)
{
	return a->line < b->line || (a->line == b->line && a < b);
}

int runtime_static_number(const struct trapline_thread *t)
{
	const struct trapline_thread *s;
	int n = 0;

	for (s = __start_trapline_threads; s < __stop_trapline_threads; s++)
		n += stands_before(s, t);
	return n;
}

/* The compiler emits them in any order; the file's is what people see. */
static const struct trapline_thread *thread_after(
	const struct trapline_thread *t)
{
	const struct trapline_thread *s, *best = NULL;

	for (s = __start_trapline_threads; s < __stop_trapline_threads; s++)
		if ((!t || stands_before(t, s)) &&
		    (!best || stands_before(s, best)))
			best = s;
	return best;
}

void runtime_start_static_threads(void)
{
	const struct trapline_thread *s;
	int n = 0;

	if (engine->program) {
		runtime_start(n++, "main", engine->program, engine->program_arg,
			      false);
	} else {
		for (s = thread_after(NULL); s; s = thread_after(s))
			runtime_start(n++, s->name, run_scenario_thread,
				      (void *)s, false);
		cpu_start_handlers(n);
		n += cpu_count_handlers();
		if (trapline_scenario_check)
			runtime_start(n++, "check", run_check, NULL, false);
	}
}

static int count_static_threads(void)
{
	return engine->program
		       ? 1
		       : __stop_trapline_threads - __start_trapline_threads +
				 cpu_count_handlers() +
				 !!trapline_scenario_check;
}

bool runtime_number_static_threads(void)
{
	int n = count_static_threads();

	if (engine->nr_static != n) {
		/* a test runs several programs */
		memset(engine->number, 0, sizeof(engine->number));
		engine->nr_numbers = 0;
	}
	engine->nr_static = n;
	return n <= NR_THREADS;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - a litmus test's threads, interpreted over the engine's hooks.
 *
 * The engine's main thread starts one thread per P. Shared words are objects of
 * the set-up's heap; registers are the interpreter's own and set up anew whenever
 * a thread begins, since the engine runs it again for every execution.
 */
#include "run.h"

#include "engine.h"
#include "interpret.h"
#include "outcome.h"

#include <stdlib.h>

void trapline_scenario_setup(void);
int trapline_program_main(void);

static struct interpreter in;
static struct outcomes *found;

/* ---- what the engine asks for --------------------------------------------------- */

void trapline_scenario_setup(void)
{
	const struct litmus *t = in.t;

	for (int l = 0; l < t->nr_loc; l++) {
		static const size_t sizes[] = {
			[TYPE_WORD] = sizeof(int32_t),
			[TYPE_POINTER] = sizeof(int32_t),
			[TYPE_SPINLOCK] = sizeof(struct sim_lock),
			[TYPE_SRCU] = sizeof(struct sim_rcu),
		};
		size_t size = sizes[t->loc[l].type];

		in.word[l] = memory_alloc(size, t->loc[l].name);
		if (!in.word[l])
			abort();
		if (size == sizeof(int32_t))
			*(int32_t *)in.word[l] = t->loc[l].initial;
		if (t->loc[l].type == TYPE_SRCU)
			((struct sim_rcu *)in.word[l])->name = t->loc[l].name;
	}
	in.rcu = memory_alloc(sizeof(*in.rcu), NULL);
	if (!in.rcu)
		abort();
	in.rcu->name = "rcu";
}

int trapline_program_main(void)
{
	static const char *const names[LITMUS_THREADS] = {
		"P0", "P1", "P2",  "P3",  "P4",	 "P5",	"P6",  "P7",
		"P8", "P9", "P10", "P11", "P12", "P13", "P14", "P15",
	};

	for (int n = 0; n < in.t->nr_threads; n++) {
		in.actor[n].in = &in;
		in.actor[n].number = n;
		runtime_spawn(names[n], interpret, &in.actor[n], false, NULL);
	}
	return 0;
}

unsigned long *sim_timer_pinned(struct timer_list *timer)
{
	(void)timer;
	return NULL;
}

/* No litmus test has a timer. */
void sim_timer_run(struct timer_list *timer)
{
	(void)timer;
	abort();
}

/* ---- the final state --------------------------------------------------------------- */

static int32_t final_value(int l)
{
	uintptr_t addr = (uintptr_t)in.word[l];
	int16_t list[GRAPH_MAX_EVENTS + 1];

	for (int i = 0; i < engine->nr_loc; i++) {
		const struct location *loc = &engine->loc[i];

		if (loc->addr == addr)
			return graph_value(engine->g, i, loc->size,
					   list[graph_co(engine->g, i, list)],
					   memory_initial(i));
	}
	/* only one thread uses it: its memory is what it left there */
	return *(int32_t *)in.word[l];
}

static void collect(bool deadlock)
{
	const struct litmus *t = in.t;
	struct outcome o = { .value = outcome_values(t) };
	struct final f = { .t = t };

	for (int l = 0; l < t->nr_loc; l++)
		if (t->loc[l].type == TYPE_WORD ||
		    t->loc[l].type == TYPE_POINTER)
			f.loc[l] = final_value(l);
	for (int n = 0; n < t->nr_threads; n++)
		f.reg[n] = in.actor[n].reg;
	if (t->filter && !deadlock && !outcome_satisfies(&f, t->filter)) {
		free(o.value);
		return;
	}
	for (int i = 0; i < t->nr_items; i++)
		o.value[i] = outcome_item(&f, t->item[i]);
	if (deadlock) {
		o.waits = outcome_waits(t);
		for (int n = 0; n < t->nr_threads; n++)
			o.waits[n] = in.actor[n].waits_in;
		found->deadlocks++;
	} else if (outcome_satisfies(&f, t->prop)) {
		found->positive++;
	} else {
		found->negative++;
	}
	outcomes_add(found, t, &o);
}

int run_litmus(const struct litmus *t, const char *path,
	       const struct explore_options *opt, struct explore_result *r,
	       struct outcomes *out)
{
	int ret;

	in.t = t;
	in.path = path;
	found = out;
	ret = explore_init(NULL, NULL);
	if (ret)
		return ret;
	engine->on_complete = collect;
	/* a search that finds more shared memory begins again */
	do {
		outcomes_clear(out);
		explore_run(opt, r);
	} while (r->restarts);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * search.c - visit every execution graph once.
 *
 * After TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022). Events
 * are added one at a time, in an order that is a function of the graph. A new
 * read tries every write it may read from, a new write every place in coherence
 * order. A new write also revisits earlier reads of its location that do not lead
 * to it: what was added after such a read and does not lead to the write is
 * removed, and the read made to read from the write - but only if the read and all
 * that is removed had been added in the one canonical way (reading, or being, the
 * latest), so that each result is reached once.
 *
 * An await is a read whose thread goes no further while its condition fails. It is
 * added when nobody else can move; then what it may have read before is tried, and
 * if the latest write does not satisfy it, it waits, without a source, until a
 * write that satisfies it is the latest. Being served so is not a choice (only who
 * of several RMWs is served is), and counts from then: `served` takes the place of
 * the stamp. A later write that revisits an await makes it wait again, to be served
 * by that write if that satisfies it. The write is pinned by it, that is, never removed
 * while the await stands: that it was passed over was no canonical way to add it. So
 * no run ends with an await that should have read something.
 *
 * That is right for words where each write has to come after the latest one: those of
 * locks, timers, sections and sleepers, flags and counters that one thread sets or that
 * RMWs change. (If two writes come in no order, an await may be freed by the second with
 * or without having been passed over by the first: twice the same.) The awaits of any
 * other word are slow: they read the latest write even if that does not satisfy
 * them, like any read, and are revisited like any read. A run that ends with such an
 * await on a write that is not the latest is no execution: it is counted as blocked.
 */
#include "search.h"

#include "cpu.h"
#include "ledger.h"
#include "trapline/choose.h"

#include <time.h>

double search_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- one run, and what it amounts to --------------------------------------------------------- */

/* Of the runs that differ only in how grace periods came to pass one counts. */
static bool is_first_witness(void)
{
	bool looks = false;
	int x;

	for_each_bit(x, engine->g->live, engine->g->words)
		looks |= engine->g->ev[x].op == OP_RCU_SNAPSHOT;
	if (!looks)
		return true;
	graph_copy(search->scratch, engine->g);
	return witness_is_first(search->scratch, engine->model);
}

/* The run came to rest: an execution, a deadlock, or nothing. */
static void classify(void)
{
	bool all_over = true, no_execution = false;

	for (int i = 0; i < engine_threads(); i++) {
		const struct thread *t = &engine->t[i];

		if (t->state == THREAD_UNUSED || t->state == THREAD_DONE)
			continue;
		no_execution |= t->assumed || await_is_stale(i) ||
				spin_is_stale(i);
		/* this is one for which it should have come before */
		no_execution |= cpu_is_due(i);
		all_over &= t->daemon;
	}
	if (no_execution || !is_first_witness()) {
		engine->res.blocked++;
		return;
	}
	if (mixed_look())
		return;
	races_look();
	if (engine->stop)
		return;
	if (all_over && leak_look())
		return;
	if (engine->on_complete)
		engine->on_complete(!all_over);
	if (engine->on_complete || all_over)
		engine->res.executions++;
	else
		runtime_deadlock();
}

static void check_all_frees(void)
{
	int x;

	for_each_bit(x, engine->g->live, engine->g->words)
		if (engine->g->ev[x].kind == EV_FREE)
			runtime_check_free(x);
}

/* A step stacked the graphs from `top` on: each leads to as much as the run. */
static void divide_share(int top)
{
	search->run_share /= search->nr - top + 1;
	for (int i = top; i < search->nr; i++)
		search->share[i] = search->run_share;
}

static void run(void)
{
	int top = search->nr;

	runtime_begin_run();
	runtime_settle();
	if (!engine->stop)
		check_all_frees();
	while (!engine->stop && grow()) {
		divide_share(top);
		top = search->nr;
		if (!engine->stop)
			runtime_settle();
	}
	engine->res.events += graph_size(engine->g);
	if (!engine->stop)
		classify();
	else if (engine->stop == STOP_DEAD)
		engine->res.blocked++;
	else if (engine->stop == STOP_VIOLATION)
		mixed_look();
}

void search_one(void)
{
	int n;

	graph_copy(engine->g, search->stack[--search->nr]);
	search->run_share = search->share[search->nr];
	run();
	n = explore_nr_threads();
	if (n > engine->res.threads)
		engine->res.threads = n;
}

/* Once more, over the graph that failed, with call stacks. */
static void record_violation(struct explore_result *out)
{
	struct explore_result saved = engine->res;

	engine->recording = true;
	runtime_begin_run();
	runtime_settle();
	engine->recording = false;
	engine->res = saved;
	linearise(engine->g, out);
	ledger_explain();
	if (engine->res.finding == FIND_DEADLOCK)
		lost_explain(out);
}

void search_found(void)
{
	struct explore_result *r = &engine->res;

	r->verdict = r->finding == FIND_UNSUPPORTED ? EXPLORE_REFUSED
						    : EXPLORE_VIOLATED;
	record_violation(r);
}

bool search_out_of_budget(void)
{
	const struct explore_options *opt = search->opt;
	struct explore_result *r = &engine->res;

	if (!opt->max_executions || r->executions < opt->max_executions) {
		if (++search->nr_runs % 256)
			return false;
		r->seconds = search_now() - search->start;
		r->done = search->done;
		if (opt->progress)
			opt->progress(r, opt->progress_arg);
		if (!(opt->max_seconds > 0 && r->seconds > opt->max_seconds))
			return false;
	}
	r->verdict = EXPLORE_UNDECIDED;
	return true;
}

void search_begin_again(void)
{
	engine->res.executions = engine->res.blocked = engine->res.events = 0;
	engine->res.threads = 0;
	frontier_clear();
	graph_clear(frontier_top());
	frontier_keep();
	search->share[0] = 1;
	search->done = 0;
}

enum search_end search_step(void)
{
	if (search_out_of_budget())
		return SEARCH_ENDS;
	search_one();
	if (engine->stop == STOP_VIOLATION) {
		search_found();
		return SEARCH_ENDS;
	}
	if (engine->stop == STOP_TIME) {
		engine->res.verdict = EXPLORE_UNDECIDED;
		return SEARCH_ENDS;
	}
	return engine->stop == STOP_RESTART ? SEARCH_LEARNED : SEARCH_GO_ON;
}

/* Follow graphs until none is left, something is found, or the budget spent. */
static void search_alone(void)
{
	enum search_end end = SEARCH_GO_ON;

	search_begin_again();
	while (search->nr && end != SEARCH_ENDS) {
		end = search_step();
		if (end == SEARCH_LEARNED) {
			engine->res.restarts++;
			search_begin_again();
		} else {
			search->done += search->run_share;
		}
	}
}

static void search_all(void)
{
	engine->res.verdict = EXPLORE_HOLDS;
	if (search->opt->shards)
		shard_search();
	else if (search->opt->records)
		shard_merge();
	else if (search->opt->jobs > 1)
		parts_search();
	else
		search_alone();
}

/* Nothing else was found: the executions up to one that closes a cycle. */
static void search_for_cycle(void)
{
	struct explore_result *r = &engine->res;
	uint64_t executions = r->executions, blocked = r->blocked;
	uint64_t events = r->events;
	enum explore_verdict verdict = r->verdict;

	ledger_be_strict(true);
	r->verdict = EXPLORE_HOLDS;
	if (search->opt->jobs > 1)
		parts_search();
	else
		search_alone();
	if (r->verdict == EXPLORE_HOLDS)
		r->verdict = verdict;
	r->executions = executions;
	r->blocked = blocked;
	r->events = events;
}

void explore_run(const struct explore_options *opt, struct explore_result *out)
{
	struct explore_result *r = &engine->res;

	search->opt = opt;
	search->start = search_now();
	memset(r, 0, sizeof(*r));
	r->thread = -1;
	engine->model = opt->memory == MEMORY_LKMM  ? GRAPH_LKMM
			: opt->memory == MEMORY_TSO ? GRAPH_TSO
						    : GRAPH_SC;
	engine->deps = opt->deps;
	engine->alloc_failures = opt->alloc_failures ? opt->alloc_failures
				 : &trapline_alloc_failures
					 ? trapline_alloc_failures
					 : 0;
	engine->early_wakeups = opt->early_wakeups;
	order_forget();
	ledger_be_strict(false);
	clock_budget(opt->max_seconds);
	if (opt->some) {
		some_search(opt);
		clock_budget(0);
		r->seconds = search_now() - search->start;
		*out = *r;
		return;
	}
	engine->mode = RUN_SEQUENTIAL;
	if (!seq_discover()) {
		r->verdict = seq_not_discovered();
		clock_budget(0);
		r->seconds = search_now() - search->start;
		engine->mode = RUN_OFF;
		*out = *r;
		return;
	}
	engine->mode = RUN_SEARCH;
	engine->leaks = opt->leaks;
	r->early_wakeups = opt->early_wakeups;
	races_begin(opt);
	search_all();
	/* who is told of deadlocks need not be told of those to be feared */
	if (order_has_cycle() && !engine->on_complete && !opt->shards &&
	    r->verdict != EXPLORE_VIOLATED && r->verdict != EXPLORE_REFUSED)
		search_for_cycle();
	clock_budget(0);
	r->seconds = search_now() - search->start;
	memory_reset();
	engine->mode = RUN_OFF;
	*out = *r;
}

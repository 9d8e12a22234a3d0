// SPDX-License-Identifier: GPL-2.0-only
/*
 * some.c - some executions of many, one operation at a time on real memory (SC).
 *
 * With a bound on preemptions: every way to schedule that takes the processor from
 * a thread that could go on at most so often, and only between what others may
 * notice. First those without any, then one more at a time: so a violation has as few
 * as can be. Every choice of a run is on a path; the last one that can go another
 * way does so in the next run.
 *
 * At random: each ready thread is as likely at each step. Or by priorities (PCT,
 * Burckhardt and others, ASPLOS 2010): the highest one that is ready moves, and at
 * depth - 1 steps, drawn beforehand, who is about to move becomes the lowest. A bug
 * that takes `depth` steps in one order is found with probability 1 / (n * k^(depth-1))
 * at least, in n threads and k steps.
 */
#include "search.h"

#include <stdlib.h>

#define MAX_CHANGES 1000

/* Numbers of a run, whichever were drawn in others (splitmix64). */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static bool can_move(const struct explore_step *p)
{
	return p->op != OP_END && !p->blocked;
}

/* Allocations of this run that failed, and waits that ended early. */
static unsigned int failed, woken;
static bool few_wakeups; /* more could have */

/* Does the step go as it likes? Else it goes the way 0. */
static bool may_choose(const struct explore_step *step)
{
	if (step->op == OP_ALLOC)
		return failed < engine->alloc_failures;
	if (step->op != OP_WAKEUP)
		return true;
	few_wakeups |= woken == engine->early_wakeups;
	return woken < engine->early_wakeups;
}

static uint64_t note_choice(const struct explore_step *step, uint64_t way)
{
	failed += step->op == OP_ALLOC && way;
	woken += step->op == OP_WAKEUP && way;
	return way;
}

/* ---- a bound on preemptions ----------------------------------------------------- */

struct decision {
	uint32_t taken, ways;
};

static struct {
	struct decision *path;
	size_t nr, room, at;
	int cur;    /* who moved last, or -1 */
	bool fresh; /* it has done nothing yet that others may notice */
	const struct explore_chooser *lead; /* or NULL: see explore_options */
	unsigned int left;		    /* preemptions */
} bounded;

static uint32_t decide(uint32_t ways)
{
	struct decision *d;

	if (ways < 2)
		return 0;
	if (bounded.at == bounded.nr) {
		if (bounded.nr == bounded.room) {
			bounded.room = bounded.room ? 2 * bounded.room : 256;
			bounded.path = reallocarray(bounded.path, bounded.room,
						    sizeof(*bounded.path));
			if (!bounded.path)
				abort();
		}
		bounded.path[bounded.nr++] = (struct decision){ 0, ways };
	}
	d = &bounded.path[bounded.at++];
	return d->taken;
}

/* Who may move instead of the one that can go on, if there is one: by number. */
static int nth_other(const struct explore_step *p, int n, int but, uint32_t k)
{
	for (int i = 0; i < n; i++)
		if (i != but && can_move(&p[i]) && !k--)
			return i;
	return -1;
}

static uint32_t others(const struct explore_step *p, int n, int but)
{
	uint32_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += i != but && can_move(&p[i]);
	return sum;
}

static int switch_to(int thread)
{
	bounded.fresh = true;
	return bounded.cur = thread;
}

/* Thread cur goes on. */
static int stay(const struct explore_step *p)
{
	bounded.fresh &= p->addr && !p->shared;
	return bounded.cur;
}

static int pick_bounded(void *arg, const struct explore_step *p, int n)
{
	const struct explore_chooser *lead = bounded.lead;
	int t = lead ? lead->pick(lead->arg, p, n) : EXPLORE_GO_ON;
	int cur = bounded.cur;
	uint32_t way;

	(void)arg;
	if (t != EXPLORE_GO_ON)
		return t;
	if (cur < 0 || !can_move(&p[cur])) {
		way = decide(others(p, n, -1));
		switch_to(nth_other(p, n, -1, way));
		return stay(&p[bounded.cur]);
	}
	if (!bounded.left || !p[cur].shared || bounded.fresh)
		return stay(&p[cur]);
	way = decide(1 + others(p, n, cur));
	if (!way)
		return stay(&p[cur]);
	bounded.left--;
	switch_to(nth_other(p, n, cur, way - 1));
	return stay(&p[bounded.cur]);
}

static uint64_t choose_bounded(void *arg, const struct explore_step *step)
{
	const struct explore_chooser *lead = bounded.lead;
	uint64_t way = lead ? lead->choose(lead->arg, step) : EXPLORE_ANY_WAY;

	(void)arg;
	if (way != EXPLORE_ANY_WAY)
		return note_choice(step, way);
	return may_choose(step) ? note_choice(step, decide(step->old)) : 0;
}

/* The next path; false: that was the last one. */
static bool go_another_way(void)
{
	while (bounded.nr) {
		struct decision *d = &bounded.path[bounded.nr - 1];

		if (++d->taken < d->ways)
			return true;
		bounded.nr--;
	}
	return false;
}

/* ---- at random ------------------------------------------------------------------- */

static struct {
	uint64_t state;
	unsigned int depth; /* 0: no priorities */
	uint64_t step, longest;
	uint64_t change[MAX_CHANGES];
	uint64_t priority[NR_THREADS]; /* 0: none yet */
} random_run;

static void begin_random(const struct explore_options *opt, uint64_t k)
{
	random_run.state = opt->seed * 0x9e3779b97f4a7c15ull ^ k << 20;
	random_run.depth = opt->some == SOME_PCT ? opt->depth : 0;
	if (random_run.step > random_run.longest)
		random_run.longest = random_run.step;
	random_run.step = 0;
	memset(random_run.priority, 0, sizeof(random_run.priority));
	for (unsigned int i = 0; i + 1 < random_run.depth; i++)
		random_run.change[i] = draw(&random_run.state) %
				       (random_run.longest + 1);
}

static int highest(const struct explore_step *p, int n)
{
	int best = -1;

	for (int i = 0; i < n; i++) {
		if (!can_move(&p[i]))
			continue;
		if (!random_run.priority[i])
			random_run.priority[i] = draw(&random_run.state) |
						 1ull << 32;
		if (best < 0 ||
		    random_run.priority[i] > random_run.priority[best])
			best = i;
	}
	return best;
}

static int pick_random(void *arg, const struct explore_step *p, int n)
{
	uint64_t step = random_run.step++;

	(void)arg;
	if (!random_run.depth)
		return nth_other(p, n, -1,
				 draw(&random_run.state) % others(p, n, -1));
	for (unsigned int i = 0; i + 1 < random_run.depth; i++)
		if (random_run.change[i] == step)
			random_run.priority[highest(p, n)] = 1 + i;
	return highest(p, n);
}

static uint64_t choose_random(void *arg, const struct explore_step *step)
{
	(void)arg;
	return may_choose(step)
		       ? note_choice(step, draw(&random_run.state) % step->old)
		       : 0;
}

/* ---- both ------------------------------------------------------------------------ */

static struct {
	const struct explore_chooser *chooser;
	struct explore_result last; /* its steps are used again */
	uint64_t executions, blocked;
	int threads;
	unsigned int preemptions;
	/* Only this violation counts, in so many steps; or NULL. */
	const struct explore_result *like;
	uint64_t steps;
} tried;

enum end { NOTHING, VIOLATION, BUDGET };

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_like(const struct explore_result *a,
		    const struct explore_result *b)
{
	return a->finding == b->finding && a->line == b->line &&
	       same_text(a->file, b->file) && !strcmp(a->message, b->message);
}

/* What is looked for, or not yet, or no more? */
static enum end try_like(void)
{
	const struct explore_result *r = &tried.last;

	if (is_like(r, tried.like))
		return VIOLATION;
	if (r->nr_steps >= tried.steps)
		return BUDGET;
	tried.steps -= r->nr_steps;
	return NOTHING;
}

/* One run; what it was is in tried. */
static enum end try_one(void)
{
	struct explore_result *r = &tried.last;

	failed = woken = 0;
	seq_one(tried.chooser, r);
	if (engine->stop == STOP_TIME)
		return BUDGET;
	if (r->verdict == EXPLORE_UNDECIDED && !r->blocked) {
		r->verdict = EXPLORE_REFUSED;
		r->finding = FIND_UNSUPPORTED;
		snprintf(r->message, sizeof(r->message),
			 "an execution does not end");
	}
	if (r->threads > tried.threads)
		tried.threads = r->threads;
	if (tried.like)
		return try_like();
	if (r->verdict == EXPLORE_VIOLATED || r->verdict == EXPLORE_REFUSED)
		return VIOLATION;
	tried.executions += r->executions;
	tried.blocked += !r->executions;
	engine->res.executions = tried.executions;
	engine->res.blocked = tried.blocked;
	engine->res.threads = tried.threads;
	engine->res.preemptions = tried.preemptions;
	return search_out_of_budget() ? BUDGET : NOTHING;
}

/* All with at most this many; again if more memory turns out to be shared. */
static enum end try_bound(unsigned int bound)
{
	enum end end;
	int known;

	do {
		known = engine->nr_loc;
		bounded.nr = 0;
		tried.executions = tried.blocked = 0;
		do {
			bounded.at = 0;
			bounded.cur = -1;
			bounded.left = bound;
			if (bounded.lead)
				bounded.lead->again(bounded.lead->arg);
			end = try_one();
		} while (end == NOTHING && engine->nr_loc == known &&
			 go_another_way());
	} while (end == NOTHING && engine->nr_loc != known);
	return end;
}

/* Bounds below that, one after the other. */
static enum end try_bounds(unsigned int below)
{
	enum end end = NOTHING;

	for (unsigned int p = 0; p < below && end == NOTHING; p++) {
		tried.preemptions = p;
		end = try_bound(p);
	}
	return end;
}

static enum end try_random(const struct explore_options *opt)
{
	enum end end = NOTHING;

	for (uint64_t k = 0; k < opt->schedules && end == NOTHING; k++) {
		begin_random(opt, k);
		search->done = (double)k / opt->schedules;
		end = try_one();
	}
	return end;
}

static const struct explore_chooser bound_chooser = {
	.pick = pick_bounded, .choose = choose_bounded
};

bool explore_fewer(uint64_t steps, struct explore_result *r)
{
	struct explore_result like = *r, *found = &tried.last;
	enum end end;

	memset(&tried, 0, sizeof(tried));
	tried.chooser = &bound_chooser;
	tried.like = &like;
	bounded.lead = NULL;
	tried.steps = steps;
	end = seq_begin(tried.chooser) ? try_bounds(r->preemptions) : BUDGET;
	seq_end();
	tried.like = NULL;
	r->fewest = end == BUDGET ? FEWEST_UNKNOWN : FEWEST_THESE;
	if (end != VIOLATION)
		return false;
	*r = *found;
	found->steps = NULL;
	r->races = like.races;
	r->nr_races = like.nr_races;
	r->executions = like.executions;
	r->blocked = like.blocked;
	r->threads = like.threads;
	r->seconds = like.seconds;
	r->preemptions = tried.preemptions;
	r->fewest = FEWEST_THESE;
	return true;
}

void some_search(const struct explore_options *opt)
{
	static const struct explore_chooser chance = {
		.pick = pick_random, .choose = choose_random
	};
	struct explore_chooser bound = bound_chooser;
	bool all = opt->some == SOME_BOUND;
	struct explore_result *r = &engine->res;
	enum end end;

	bound.calls = opt->lead && opt->lead->calls;
	tried.chooser = all ? &bound : &chance;
	tried.executions = tried.blocked = 0;
	tried.threads = 0;
	few_wakeups = false;
	bounded.lead = opt->lead;
	if (!seq_begin(tried.chooser)) {
		r->verdict = seq_not_discovered();
		seq_end();
		return;
	}
	end = all ? try_bounds(opt->bound + 1) : try_random(opt);
	seq_end();
	*r = tried.last;
	if (end != VIOLATION)
		r->verdict = all && end == NOTHING ? EXPLORE_HOLDS
						   : EXPLORE_UNDECIDED;
	r->executions = tried.executions;
	r->blocked = tried.blocked;
	r->threads = tried.threads;
	r->few_wakeups = few_wakeups;
	r->early_wakeups = opt->early_wakeups;
	r->preemptions = tried.preemptions;
	if (all && end == VIOLATION && !opt->lead)
		r->fewest = FEWEST_THESE;
}

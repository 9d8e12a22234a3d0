// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - what the options of an exploration mean.
 *
 * Each has a function that is given the argument and returns NULL, or what was
 * expected instead.
 */
#include "options.h"

#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *set_memory(struct options *o, const char *arg)
{
	return report_find_memory(arg, &o->search.memory) ? NULL
							  : "sc, tso or lkmm";
}

static const char *set_deps(struct options *o, const char *arg)
{
	o->search.deps = strcmp(arg, "all") ? DEPS_NONE : DEPS_ALL;
	return o->search.deps == DEPS_ALL || !strcmp(arg, "none")
		       ? NULL
		       : "none or all";
}

/* "60s", "5m", "1h": a time; "1e6": executions. */
static const char *set_budget(struct options *o, const char *arg)
{
	static const char expected[] =
		"a time like 60s or a number of executions like 1e6";
	char *end;
	double n = strtod(arg, &end);

	if (end == arg || !(n > 0) || n > 1e18)
		return expected;
	if (!*end)
		return (o->search.max_executions = n) > 0 ? NULL : expected;
	if (end[1] || !strchr("smh", *end))
		return expected;
	o->search.max_seconds = *end == 's'   ? n
				: *end == 'm' ? 60 * n
					      : 3600 * n;
	return NULL;
}

static const char *set_format(struct options *o, const char *arg)
{
	o->json = !strcmp(arg, "json");
	o->changelog = !strcmp(arg, "changelog");
	return o->json || o->changelog || !strcmp(arg, "text")
		       ? NULL
		       : "text, json or changelog";
}

static const char *set_progress(struct options *o, const char *arg)
{
	static const char *const names[] = { [PROGRESS_AUTO] = "auto",
					     [PROGRESS_PLAIN] = "plain",
					     [PROGRESS_NONE] = "none" };

	for (int i = 0; i < 3; i++) {
		if (strcmp(arg, names[i]))
			continue;
		o->progress = i;
		return NULL;
	}
	return "auto, plain or none";
}

static const char *set_schedule_out(struct options *o, const char *arg)
{
	o->schedule_out = arg;
	return NULL;
}

static const char *set_races(struct options *o, const char *arg)
{
	static const char *const names[] = { [RACES_REPORT] = "report",
					     [RACES_FAIL] = "fail",
					     [RACES_OFF] = "off" };

	for (int i = 0; i < 3; i++) {
		if (strcmp(arg, names[i]))
			continue;
		o->search.races = i;
		return NULL;
	}
	return "report, fail or off";
}

static const char *set_leaks(struct options *o, const char *arg)
{
	(void)arg;
	o->search.leaks = true;
	return NULL;
}

/* Digits only; false: that is not a number from low to high. */
static bool number(const char *arg, uint64_t low, uint64_t high, uint64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoull(arg, &end, 10);
	return *arg >= '0' && *arg <= '9' && !*end && !errno && *to >= low &&
	       *to <= high;
}

static const char *set_number(unsigned int *to, const char *arg)
{
	uint64_t n;
	bool good = number(arg, 0, 1000, &n);

	*to = n;
	return good ? NULL : "a number up to 1000";
}

static const char *set_alloc_failures(struct options *o, const char *arg)
{
	return set_number(&o->search.alloc_failures, arg);
}

static const char *set_early_wakeups(struct options *o, const char *arg)
{
	return set_number(&o->search.early_wakeups, arg);
}

static const char *set_jobs(struct options *o, const char *arg)
{
	uint64_t n;
	bool good = number(arg, 1, 1000, &n);

	o->search.jobs = n;
	return good ? NULL : "a number of processes, 1 to 1000";
}

static const char *set_shard(struct options *o, const char *arg)
{
	const char *slash = strchrnul(arg, '/');
	uint64_t shard, shards;

	if (!*slash || !number(slash + 1, 1, 100000, &shards) ||
	    !number(strndupa(arg, slash - arg), 1, shards, &shard))
		return "I/N, with N up to 100000 and I from 1 to N";
	o->search.shard = shard;
	o->search.shards = shards;
	return NULL;
}

static const char *set_shard_out(struct options *o, const char *arg)
{
	o->shard_out = arg;
	return NULL;
}

static const char *set_merge(struct options *o, const char *arg)
{
	o->merge = reallocarray(o->merge, o->nr_merge + 1, sizeof(*o->merge));
	if (!o->merge)
		abort();
	o->merge[o->nr_merge++] = arg;
	return NULL;
}

static const char *set_bound(struct options *o, const char *arg)
{
	uint64_t n;
	bool good = number(arg, 0, 1000, &n);

	o->search.some = SOME_BOUND;
	o->search.bound = n;
	return good ? NULL : "a number of preemptions, up to 1000";
}

static const char *set_random(struct options *o, const char *arg)
{
	if (!o->search.some)
		o->search.some = SOME_RANDOM;
	return number(arg, 1, UINT64_MAX, &o->search.schedules)
		       ? NULL
		       : "a number of schedules";
}

static const char *set_seed(struct options *o, const char *arg)
{
	o->seeded = true;
	return number(arg, 0, UINT64_MAX, &o->search.seed) ? NULL : "a number";
}

static const char *set_pct(struct options *o, const char *arg)
{
	uint64_t n;
	bool good = number(arg, 1, 1000, &n);

	if (o->search.some != SOME_BOUND)
		o->search.some = SOME_PCT;
	o->search.depth = n;
	return good ? NULL : "a number of steps, 1 to 1000";
}

const char *options_contradict(const struct options *o)
{
	const struct explore_options *s = &o->search;

	if (s->some == SOME_BOUND && (s->schedules || s->depth))
		return "--bound runs all there are, --random and --pct some; "
		       "choose one";
	if (s->some == SOME_PCT && !s->schedules)
		return "--pct needs --random N, which says how many schedules";
	if (o->seeded && !s->schedules)
		return "--seed needs --random N, which says how many schedules";
	if (s->deps == DEPS_ALL && s->memory != MEMORY_LKMM)
		return "--deps is about --memory lkmm, under which alone "
		       "dependencies matter; choose that, or leave --deps out";
	if (s->some && s->memory != MEMORY_SC)
		return "--bound and --random are for --memory sc only";
	if (s->some && s->jobs > 1)
		return "--bound and --random use one process; leave --jobs out";
	if (s->some && (s->shards || o->nr_merge))
		return "--bound and --random are not shared by shards; leave "
		       "--shard and --merge out";
	if (s->shards && o->nr_merge)
		return "--merge is for the end, when all shards are there; "
		       "leave --shard out";
	if (s->shards && s->jobs > 1)
		return "a shard is searched by one process; leave --jobs out, "
		       "and take more shards";
	if (o->nr_merge && s->jobs > 1)
		return "--merge uses one process; leave --jobs out";
	if (o->shard_out && !s->shards)
		return "--shard-out needs --shard I/N, which says which one";
	if (s->some && s->races == RACES_FAIL)
		return "--bound and --random do not look for data races; "
		       "leave --races out";
	return NULL;
}

static const char *set_cover(struct options *o, const char *arg)
{
	(void)arg;
	o->cover = true;
	return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const struct {
		const char *name;
		const char *(*set)(struct options *o, const char *arg);
	} rows[] = {
#define X(id, name, arg, text) { name, set_##id },
		OPTIONS(X)
#undef X
	};
	const char *expected;
	unsigned int i = key - OPTION_FIRST - 1;

	if (i >= sizeof(rows) / sizeof(*rows))
		return ARGP_ERR_UNKNOWN;
	expected = rows[i].set(state->input, arg);
	if (expected)
		argp_error(state, "--%s %s: expected %s", rows[i].name, arg,
			   expected);
	return 0;
}

static const struct argp_option all[] = { OPTIONS_OF_ALL(OPTION_ROW){ 0 } };
static const struct argp_option programs[] = { OPTIONS(OPTION_ROW){ 0 } };

const struct argp options_of_all = { .options = all, .parser = parse };
const struct argp options_of_programs = { .options = programs,
					  .parser = parse };

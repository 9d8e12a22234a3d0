/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the options of an exploration, said once.
 *
 * `trapline explore` takes them and passes them on as they are; the program of a
 * scenario, or the one for litmus tests, understands them. A new option is a row
 * here and the function set_ID in options.c.
 */
#ifndef SIM_EXPLORE_OPTIONS_H
#define SIM_EXPLORE_OPTIONS_H

#include "explore.h"
#include "progress.h"

#include <argp.h>

/* clang-format off */
/* X(id, name, argument or NULL, text) */
#define OPTIONS_OF_ALL(X)                                                      \
	X(memory, "memory", "sc|tso|lkmm", "memory model (sc)")                \
	X(deps, "deps", "none|all",                                            \
	  "reads that lkmm orders before later writes: those that fences "     \
	  "order, or all as if the writes depended on them (none)")            \
	X(budget, "budget", "60s|1e6",                                         \
	  "stop after a time (s, m, h) or a number of executions")             \
	X(progress, "progress", "auto|plain|none",                              \
	  "how far it has come, on stderr: on a terminal, in lines, or not "   \
	  "(auto)")                                                            \
	X(format, "format", "text|json|changelog",                              \
	  "what to print (text); changelog: for the message of a commit")
/* of C programs, not of litmus tests */
#define OPTIONS_OF_PROGRAMS(X)                                                 \
	X(schedule_out, "schedule-out", "FILE",                                \
	  "where the schedule of a violation goes (NAME.fail.sched)")          \
	X(races, "races", "report|fail|off",                                   \
	  "data races: report them, let them fail, or ignore them (report)")   \
	X(leaks, "leaks", NULL,                                                \
	  "plain programs, too: what nothing points to at the end (their "    \
	  "memory ends with them)")                                            \
	X(alloc_failures, "alloc-failures", "N",                               \
	  "let up to N allocations of an execution fail, whichever (0)")       \
	X(jobs, "jobs", "N", "search with N processes (1)")                    \
	X(shard, "shard", "I/N",                                               \
	  "search one of N shards only, for --merge to put together")          \
	X(shard_out, "shard-out", "FILE",                                      \
	  "where the record of a shard goes (NAME.IofN.shard)")                \
	X(merge, "merge", "FILE...",                                           \
	  "put the records of all shards together: what one process says")     \
	X(early_wakeups, "early-wakeups", "N",                                 \
	  "let up to N pthread_cond_wait() of an execution return with no "    \
	  "signal, whichever (1)")                                             \
	X(bound, "bound", "P",                                                 \
	  "only schedules with at most P preemptions: all of them")            \
	X(random, "random", "N",                                               \
	  "only N schedules, chosen at random; that proves nothing")           \
	X(seed, "seed", "S", "with --random: which ones (1)")                  \
	X(pct, "pct", "D",                                                     \
	  "with --random: by priorities, for what takes D steps in order")     \
	X(cover, "cover", NULL,                                                \
	  "list the functions that were reached, and those that were not")
#define OPTIONS(X) OPTIONS_OF_ALL(X) OPTIONS_OF_PROGRAMS(X)
/* clang-format on */

/* Keys, so that a parser of argp's can tell them from its own. */
enum option_key {
	OPTION_FIRST = 1024,
#define X(id, name, arg, text) OPTION_##id,
	OPTIONS(X)
#undef X
};

#define OPTION_ROW(id, name, arg, text) { name, OPTION_##id, arg, 0, text, 0 },

struct options {
	struct explore_options search;
	const char *schedule_out; /* or NULL */
	const char *shard_out;	  /* or NULL */
	const char **merge;	  /* paths of records */
	size_t nr_merge;
	bool json, changelog;
	enum progress progress;
	bool cover, seeded;
};

/* What cannot be together, as a sentence; NULL: nothing. */
const char *options_contradict(const struct options *o);

/* For argp's children; their input is a struct options. */
extern const struct argp options_of_all, options_of_programs;

#endif /* SIM_EXPLORE_OPTIONS_H */

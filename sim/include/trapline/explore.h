/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trapline/explore.h - libtrapline-explore: explore a scenario from a test.
 *
 *	START_TEST(two_increments)
 *	{
 *		struct trapline_result *r =
 *			trapline_explore("counter", counter, NULL, NULL);
 *
 *		ck_assert_msg(trapline_verdict(r) == TRAPLINE_HOLDS, "%s",
 *			      trapline_report(r));
 *		ck_assert_uint_eq(trapline_executions(r), 2);
 *		trapline_result_free(r);
 *	}
 *
 * A scenario is a function of C11 atomics and pthreads, like the main() of a plain
 * program (trapline/plain.h says what it may use): it creates threads, joins them,
 * asserts. It and all that it calls are in files named NAME.scenario.c, compiled
 * by gcc with the flags of
 *
 *	pkg-config --variable=scenario_cflags trapline-explore
 *
 * and the test, compiled as ever, is linked with
 *
 *	pkg-config --cflags --libs trapline-explore
 *
 * The name matters: only variables of files with such names (NAME.scenario.o when
 * they are linked) begin every execution with the values that they have when the
 * exploration begins. Tests may set them before. A write to memory that is neither
 * that nor allocated by the scenario is a verdict TRAPLINE_REFUSED.
 *
 * An exploration runs in a child process, one after another, as many in one process
 * as wanted, each from the same state: nothing that a scenario does is seen by the
 * process that asked, no signal handler or timer of it is touched, and the same
 * exploration always says the same.
 *
 * What is not allowed. In scenarios: inline assembly, thread-local variables, and
 * what of libc is not in trapline/plain.h; `trapline explore` refuses these by name,
 * here nobody looks for them. Neither the kernel's API (trapline/scenario.h):
 * that is for `trapline explore`. In tests: to call these functions from a scenario,
 * or while another thread holds a lock that malloc() or stdio need; to have SIGCHLD
 * ignored, or wait for children that are not one's own; to link -pie, or libtsan.
 */
#ifndef TRAPLINE_EXPLORE_H
#define TRAPLINE_EXPLORE_H

#include <stdbool.h>

enum trapline_memory {
	TRAPLINE_SC,
	TRAPLINE_TSO, /* x86: store buffers */
	TRAPLINE_LKMM /* the kernel's model, for C11's orders as far as it has them */
};

enum trapline_races {
	TRAPLINE_RACES_REPORT, /* they are counted and told in the report */
	TRAPLINE_RACES_FAIL,   /* one is a violation, found "data-race" */
	TRAPLINE_RACES_OFF
};

enum trapline_verdict {
	TRAPLINE_HOLDS,	    /* in all executions, within the options' bounds */
	TRAPLINE_VIOLATED,  /* trapline_finding says how */
	TRAPLINE_UNDECIDED, /* the budget ended; or a schedule: it could not be
			     * followed, or did not come to the end */
	TRAPLINE_REFUSED,   /* the scenario does what is not supported */
	TRAPLINE_ERROR	    /* the exploration did not run, or broke */
};

/* What `trapline explore` has options for, under the same names. */
struct trapline_options {
	enum trapline_memory memory;
	enum trapline_races races;
	bool leaks;		     /* what nothing points to at the end */
	unsigned int alloc_failures; /* of an execution, at most */
	unsigned int early_wakeups;  /* of pthread_cond_wait, likewise */
	unsigned int jobs;	     /* processes; 0 and 1: one */
	unsigned long long max_executions; /* 0: no limit */
	double max_seconds;		   /* 0: no limit */
};

/* The defaults: struct trapline_options opt = TRAPLINE_OPTIONS; */
#define TRAPLINE_OPTIONS                                  \
	{                                                 \
		.memory = TRAPLINE_SC, .early_wakeups = 1 \
	}

struct trapline_result;

/*
 * Run every interleaving of scenario(arg). `name` stands in the report and in the
 * schedule's header. options may be NULL: the defaults. Returns when that is done;
 * never NULL. What is returned is the caller's, to be given to trapline_result_free. If
 * memory ends, the process is aborted, here and below.
 */
struct trapline_result *trapline_explore(
	const char *name, void (*scenario)(void *), void *arg,
	const struct trapline_options *options);

/*
 * Run the one interleaving that the text of a schedule says, as trapline_schedule
 * gives it or as somebody wrote it (README.md has the grammar), under the memory
 * model that it names. Ownership as above. TRAPLINE_HOLDS: that run ended well.
 * TRAPLINE_UNDECIDED: it could not be followed; trapline_message names the line.
 * TRAPLINE_ERROR: the text is no schedule.
 */
struct trapline_result *trapline_replay(const char *name,
					void (*scenario)(void *), void *arg,
					const char *schedule);

/*
 * Of a result. Strings are its own and live until it is freed. They may be called
 * anywhere, by any thread.
 */
enum trapline_verdict trapline_verdict(const struct trapline_result *r);
/* Complete executions, each counted once; those that ended early (assume). */
unsigned long long trapline_executions(const struct trapline_result *r);
unsigned long long trapline_blocked(const struct trapline_result *r);
/* Data races, once per pair of places in the code. */
unsigned long long trapline_races(const struct trapline_result *r);
/* "assert", "deadlock", ... as in `trapline explore`; "none". */
const char *trapline_finding(const struct trapline_result *r);
/* One sentence on what is wrong, or "". */
const char *trapline_message(const struct trapline_result *r);
/* What `trapline explore` prints: verdict, columns, why, stacks. */
const char *trapline_report(const struct trapline_result *r);
/* Repeats a violation; NULL: there is none, or (a data race) no run to repeat. */
const char *trapline_schedule(const struct trapline_result *r);

/* NULL is allowed. */
void trapline_result_free(struct trapline_result *r);

#endif /* TRAPLINE_EXPLORE_H */

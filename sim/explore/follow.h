/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - schedules and sequential runs: follow one, derive one.
 *
 * In a point, an object without a field (uprobe#1) stands for all its fields,
 * an operation without an object for any, FILE:LINE for any operation there, and
 * any other single word for the entry of that function.
 */
#ifndef SIM_EXPLORE_FOLLOW_H
#define SIM_EXPLORE_FOLLOW_H

#include <stdbool.h>

#include "explore.h"

struct sched;

/*
 * Run once as the schedule says: on real memory, or on a graph if it has lines that
 * weaker memory needs. After its last line the threads left run to
 * their ends, lowest number first. path names the schedule in errors. If the
 * run cannot follow a line, *error (the caller frees it) says at which line of
 * the schedule and what the thread was about to do; otherwise it is NULL.
 */
void follow_run(const struct sched *s, const char *path,
		struct explore_result *out, char **error);

/*
 * The same, but it has to be the run that the schedule was written of: s->steps is
 * not NULL, and the first operation that was not there then, or not yet, is an error.
 */
void follow_strictly(const struct sched *s, const char *path,
		     struct explore_result *out, char **error);

/*
 * Follow it, and then go on in every way that has at most opt->bound preemptions from
 * there on (SC only). As explore_run, with *error as above.
 */
void follow_on(const struct sched *s, const char *path,
	       struct explore_options *opt, struct explore_result *out,
	       char **error);

/* Follow it once more, and let s->steps tell what the run does. */
void follow_note_steps(struct sched *s);

/* The memory that s is of. */
enum explore_memory follow_memory(const struct sched *s);

/*
 * Fill the body of *s, whose memory is set, so that following it repeats the
 * violation r: found by one run along r's steps, which tells where each thread
 * stands when another takes over; on real memory if that will do. Returns 0,
 * -ENOMEM, or -ESRCH if no such run ended as r did.
 */
int follow_derive(const struct explore_result *r, struct sched *s);

#endif /* SIM_EXPLORE_FOLLOW_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * repeat.h - a violation that a search found, as a schedule that repeats it.
 */
#ifndef SIM_EXPLORE_REPEAT_H
#define SIM_EXPLORE_REPEAT_H

#include <stdbool.h>

#include "explore.h"

struct sched;

/* A short schedule that ends so, or the one that was found. */
enum repeat_how { REPEAT_FEWEST, REPEAT_AS_FOUND };

/*
 * Derive the schedule of the violation *r, shrink it if that is cheap (unless
 * AS_FOUND), and make sure that it repeats the violation: *header, which has the rest
 * of the header, gets `expect` and the lines, and *r becomes the run that they give,
 * with the counts of the search. Under SC it is made one with the fewest preemptions
 * that lead there, or r->fewest tells that this was not to be known. path names the
 * schedule in errors. False: no run did repeat it; *error, which the caller frees, is
 * why, or NULL.
 */
bool repeat_violation(struct sched *header, const char *path,
		      enum repeat_how how, struct explore_result *r,
		      char **error);

#endif /* SIM_EXPLORE_REPEAT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * told.h - the lines of a schedule on weaker memory, followed: `read x#2 from init`,
 * `order x a#1 before b#1`.
 *
 * Each has to apply: one that never does, or that another contradicts, is an error.
 */
#ifndef SIM_EXPLORE_TOLD_H
#define SIM_EXPLORE_TOLD_H

#include "explore.h"

struct sched;

struct told {
	const struct sched *sched;
	unsigned int *reads; /* per line about a read: of its object so far */
	bool *read;	     /* was it that line's turn? */
	unsigned int line;   /* the last that mattered, or 0 */
	char *error;	     /* what is wrong, with a line; or NULL */
	unsigned int error_line;
};

/* The schedule has to outlive it. told_begin: a run begins, or begins again. */
void told_init(struct told *t, const struct sched *s);
void told_begin(struct told *t);
void told_free(struct told *t);

/* As in struct explore_chooser; of told_source, the read may be asked for again. */
int told_source(struct told *t, const struct explore_step *step,
		const struct explore_write *co, int n);
int told_place(struct told *t, const struct explore_step *step,
	       const struct explore_write *co, int n);
void told_performed(struct told *t, const struct explore_step *step);

/* The run is over, r its result: did every line apply? */
void told_check(struct told *t, const struct explore_result *r);

#endif /* SIM_EXPLORE_TOLD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * weak.h - what weaker memory does in a run that is led along recorded steps, and the
 * lines that say so.
 */
#ifndef SIM_EXPLORE_WEAK_H
#define SIM_EXPLORE_WEAK_H

#include <stdbool.h>
#include <stddef.h>

struct explore_result;
struct explore_step;
struct explore_write;
struct sched;

/* A read, by its number, and which write it reads; thread -1: the initial value. */
struct weak_line {
	const char *object;
	unsigned int count;
	int thread;
	unsigned int write;
};

/* Of one run; begin with zeros but for the first two. */
struct weak {
	const struct explore_result
		*r; /* the steps; they refer to each other */
	struct sched *sched;
	struct weak_read *read; /* reads so far, by object */
	size_t nr;
	/* what the operation under way reads from, and overwrites: index, and of what */
	int from, place, last;
	const struct explore_write *co;
	struct weak_line plain; /* of the newest read that does nothing weak */
	bool error;
};

/* The run begins, or begins again: no lines, no reads. */
void weak_begin(struct weak *w);
void weak_free(struct weak *w);

/* Will a run in another process know that step i is about shared memory? */
bool weak_is_sure(const struct explore_result *r, size_t i);

/*
 * Answers to explore_guided (explore.h); step is what the run is about to do, recorded
 * the step of r that this is, or NULL. -1: what that says cannot be done here.
 */
int weak_source(struct weak *w, const struct explore_step *recorded,
		const struct explore_step *step, const struct explore_write *co,
		int n);
int weak_place(struct weak *w, const struct explore_step *recorded,
	       const struct explore_step *step, const struct explore_write *co,
	       int n);

/* step was performed: add the lines that repeat what is weak in it. */
void weak_performed(struct weak *w, const struct explore_step *step);

/*
 * The run is over. What was weak may be of no single read: an access that its thread's
 * later ones do not wait for. A line that is true all the same makes who follows it
 * follow on a graph.
 */
void weak_end(struct weak *w);

#endif /* SIM_EXPLORE_WEAK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps.h - which operations a run does, in few letters: for strict replay.
 *
 * A letter for each operation, a sum of its thread, name and object, and a dot where
 * a line of the schedule ends. Another run that does something else shows it at that
 * operation, or (one letter in 36 is the same by chance) soon after.
 */
#ifndef SIM_EXPLORE_STEPS_H
#define SIM_EXPLORE_STEPS_H

#include <stdbool.h>
#include <stddef.h>

struct explore_step;

struct steps {
	const char *want; /* what is still to come, or NULL: anything */
	char *text;	  /* so far; the owner frees it */
	size_t len, room;
};

/* From the beginning; want lives as long as *s. */
void steps_begin(struct steps *s, const char *want);

/* A thread is about to do this; false: something else was to come. */
bool steps_perform(struct steps *s, const struct explore_step *step);

/* The line ends here, or the run; false: something was to come before that. */
bool steps_end_line(struct steps *s);
bool steps_end(const struct steps *s);

/* Is it what a schedule may say? */
bool steps_good(const char *text);

#endif /* SIM_EXPLORE_STEPS_H */

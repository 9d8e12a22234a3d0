/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grace.h - the law of grace periods, for every memory model.
 *
 * Of a section and a grace period, either the section ends before the grace period
 * does, or the grace period begins before the section does. Which of the two it is can
 * be read off the words of world.c: a grace period that has read what an unlock wrote
 * (or anything after it) ends after that section, and one whose first look at the word
 * found what was there before a lock has begun before that section.
 *
 * A grace period is a node where it looks at a word, and one more where it ends: a full
 * barrier behind all looks and waits.
 */
#ifndef SIM_EXPLORE_GRACE_H
#define SIM_EXPLORE_GRACE_H

#include "graph.h"

struct grace {
	/*
	 * By a grace period's first look at a word: the place of the write that it
	 * sees, and of the one that ends its wait; -1 not known.
	 */
	int16_t first[GRAPH_MAX_EVENTS], last[GRAPH_MAX_EVENTS];
};

extern struct grace grace;

/* A look at a section's word by who enters, leaves, or waits for those that did. */
static inline bool grace_is_word(const struct event *e)
{
	return e->op == OP_RCU_LOCK || e->op == OP_RCU_UNLOCK ||
	       e->op == OP_RCU_SNAPSHOT || e->op == OP_RCU_WAIT;
}

/* Is x the end of a grace period? */
bool grace_ends(const struct graph *g, int x);
/* The end of the grace period that look x is part of, or -1. */
int grace_end_of(const struct graph *g, int x);
/* Set grace.first and grace.last as the graph has them. */
void grace_looks(const struct graph *g);
/*
 * Of looks and ends of sections, what comes before x: the write of a lock or unlock, a
 * wait, or the end of a grace period (then by grace.last); how many.
 */
int grace_before(const struct graph *g, int x, int16_t *list);

#endif /* SIM_EXPLORE_GRACE_H */

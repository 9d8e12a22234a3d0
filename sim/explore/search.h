/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * search.h - the parts of the search, for each other only.
 *
 *	frontier.c   graphs still to be followed
 *	grow.c       the next event, and every way to add it
 *	revisit.c    earlier reads of what a new write writes
 *	await.c      who waits, and who is served
 *	search.c     runs, what they amount to, and the whole
 *
 * search.c tells how they make up the algorithm.
 */
#ifndef SIM_EXPLORE_SEARCH_H
#define SIM_EXPLORE_SEARCH_H

#include "engine.h"

/* ---- frontier.c -------------------------------------------------------------- */

struct search {
	struct graph **stack;
	int nr, cap;
	struct graph *main, *removed, *scratch; /* removed: of a revisit */
	uint64_t nr_runs;
};

extern struct search *search;

/* Where the next graph goes; frontier_keep makes it part of the stack. */
struct graph *frontier_top(void);
void frontier_keep(void);
/* Empty, with graphs of the size that the engine asks for now. */
void frontier_clear(void);

/* ---- grow.c ------------------------------------------------------------------- */

/* One step; what it is depends on the graph alone. False: nothing can move. */
bool grow(void);
/* Add *e to g: its slot, or -1, and then the run stops. */
int grow_add(struct graph *g, const struct event *e);
/* What e reads if its source is write w (slot, or -1: initial). */
uint64_t grow_value(const struct graph *g, const struct event *e, int w);
/* Is the write after list[k] the write half of an RMW that reads list[k]? */
bool grow_splits_rmw(const struct graph *g, const int16_t *list, int n, int k);

/* ---- revisit.c ---------------------------------------------------------------- */

/* Write a of g is new and not placed yet: stack what it may give to whom. */
void revisit_all(struct graph *g, int a);

/* ---- await.c ------------------------------------------------------------------ */

/* Await r waits from now on, passed over by write a. False: that is refused. */
bool await_make_wait(struct graph *g, int r, int a);
/* Write a comes after write `latest`: can awaits of its word be served in place? */
void await_note_chain(const struct graph *g, int a, int latest);
/* Serve an await that the latest write satisfies; false: there is none. */
bool await_serve(void);
bool await_satisfied_by_latest(const struct event *e);
/* Does thread n wait on a write that is not the latest? */
bool await_is_stale(int n);

#endif /* SIM_EXPLORE_SEARCH_H */

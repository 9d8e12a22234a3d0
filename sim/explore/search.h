/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * search.h - the parts of the search, for each other only.
 *
 *	frontier.c   graphs still to be followed
 *	grow.c       the next event, and every way to add it
 *	revisit.c    earlier reads of what a new write writes
 *	await.c      who waits, and who is served
 *	search.c     runs, what they amount to, and the whole
 *	parts.c      the whole, by several processes
 *	shard.c      a part of it, and the whole from what others say of theirs
 *	knowledge.c  what it depends on, and adds to
 *	record.c     what one of them tells the others
 *
 * search.c tells how they make up the algorithm.
 */
#ifndef SIM_EXPLORE_SEARCH_H
#define SIM_EXPLORE_SEARCH_H

#include "engine.h"

#include <stdio.h>

/* ---- frontier.c -------------------------------------------------------------- */

struct search {
	struct graph **stack;
	int nr, cap;
	struct graph *main, *removed, *scratch; /* removed: of a revisit */
	uint64_t nr_runs;
	/*
	 * As if all ways to go on from a step led to as much: the share of the search
	 * that is below each graph of the stack, and that is left to the run under way;
	 * and of what was followed, by this process alone. An estimate.
	 */
	double *share, run_share, done;
	const struct explore_options *opt;
	double start;
};

extern struct search *search;

/* Where the next graph goes; frontier_keep makes it part of the stack. */
struct graph *frontier_top(void);
void frontier_keep(void);
/* Empty, with graphs of the size that the engine asks for now. */
void frontier_clear(void);

/* ---- search.c: what a search is made of ---------------------------------------- */

double search_now(void);
/* Only the root is to be followed; nothing has been counted. */
void search_begin_again(void);
/* Follow the topmost graph of the frontier; engine->stop says how that ended. */
void search_one(void);
/* That was a violation: set the verdict and what led to it. */
void search_found(void);
/* Before each graph: may it not be followed any more? Then the verdict is set. */
bool search_out_of_budget(void);
/*
 * Follow the topmost graph, if the budget allows it. SEARCH_ENDS: it does not, or there
 * is a violation; the verdict is set. SEARCH_LEARNED: the search has to begin again.
 */
enum search_end { SEARCH_GO_ON, SEARCH_ENDS, SEARCH_LEARNED };
enum search_end search_step(void);

/* ---- parts.c -------------------------------------------------------------------- */

/* All of it, by opt->jobs processes; results as if by one. */
void parts_search(void);

/* ---- shard.c -------------------------------------------------------------------- */

/* One shard of it, as opt->shard says; what it has seen goes to opt->record. */
void shard_search(void);
/* All of it, with the help of opt->records; results as if by one process. */
void shard_merge(void);

/* ---- knowledge.c ----------------------------------------------------------------- */

/* A sum of what makes the search begin again, other than a lack of room. */
uint64_t knowledge(void);
/* Of what it only takes a note of; together two notes may make it begin again. */
uint64_t knowledge_remarks(void);

/* ---- record.c ------------------------------------------------------------------- */

/*
 * What has been seen, as text that another process running the same program
 * understands: executions, races, functions entered, orders of locks.
 */
struct record_mark {
	uint64_t executions, blocked, events;
	size_t nr_races;
	int nr_orders;
};
/* From here on: functions count as never entered, the rest is remembered. */
struct record_mark record_begin(void);
void record_write(FILE *to, const struct record_mark *since);
/* How many executions a record tells of; the rest is left alone. */
uint64_t record_executions(const char *text);
/* Take a record for one's own. False: it is not one. */
bool record_take(const char *text);

/* ---- grow.c ------------------------------------------------------------------- */

/* One step; what it is depends on the graph alone. False: nothing can move. */
bool grow(void);
/* Add *e to g: its slot, or -1, and then the run stops. */
int grow_add(struct graph *g, const struct event *e);
/* Thread n is interrupted by handler h; late: other than in the canonical way. */
int grow_interrupt(struct graph *g, int n, int h, bool late);
/* What e reads if its source is write w (slot, or -1: initial). */
uint64_t grow_value(const struct graph *g, const struct event *e, int w);
/* Is the write after list[k] the write half of an RMW that reads list[k]? */
bool grow_splits_rmw(const struct graph *g, const int16_t *list, int n, int k);
/*
 * RMW r of `from` reads a write that another one has taken: inconsistent as it stands,
 * but its write may be what the other reads.
 */
void grow_doomed(const struct graph *from, int r);

/* ---- revisit.c ---------------------------------------------------------------- */

/* Write a of g is new and not placed yet: stack what it may give to whom. */
void revisit_all(struct graph *g, int a);

/* ---- await.c ------------------------------------------------------------------ */

/*
 * Write a, the latest or not, is to be what await r reads. Not so fast: r may have to
 * wait and be served. False: there is no such execution, or engine->stop says more.
 */
bool await_revisited(struct graph *g, int r, int a, bool latest);
/* Write a is new, not placed yet; `latest` is what it may have to come after. */
void await_note_write(const struct graph *g, int a, int latest);
/* Does e read the latest write, whatever it is, like any read (search.c)? */
bool await_is_slow(const struct event *e);
/* Serve an await that the latest write satisfies; false: there is none. */
bool await_serve(void);
bool await_satisfied_by_latest(const struct event *e);
/* Does thread n wait on a write that is not the latest? */
bool await_is_stale(int n);

#endif /* SIM_EXPLORE_SEARCH_H */

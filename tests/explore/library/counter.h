/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter.h - the scenarios of counter.scenario.c, for its test.
 */
#ifndef TESTS_EXPLORE_LIBRARY_COUNTER_H
#define TESTS_EXPLORE_LIBRARY_COUNTER_H

/* How many threads there are to be. */
extern int nr_threads;

/* Each adds one to a counter: by an atomic operation; by a load and a store. */
void count_atomically(void *unused);
void count_by_hand(void *unused);

/* Two threads set a flag each, then look at the other's: one sees it? */
void raise_flags(void *unused);

/* Do what a scenario may not: write to the int that it is given. */
void write_there(void *to);

#endif /* TESTS_EXPLORE_LIBRARY_COUNTER_H */

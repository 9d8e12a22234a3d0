/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bare.h - what the least costs that an explored operation is made of.
 */
#ifndef TESTS_BENCH_BARE_H
#define TESTS_BENCH_BARE_H

/* ns of one switch between two fibres that do nothing else. */
double bare_switch(void);

/*
 * ns of one call that the compiler puts in front of an access, in a run, for an
 * access that no other thread makes: it is no operation. -1: it could not be run.
 */
double bare_callback(void);

/* ---- bare.scenario.c and who runs it -------------------------------------------- */

#define BARE_CALLS 100000

/* Makes so many accesses, between bare_begins() and bare_ends(). */
void bare_accesses(void *unused);
void bare_begins(void);
void bare_ends(void);

#endif /* TESTS_BENCH_BARE_H */

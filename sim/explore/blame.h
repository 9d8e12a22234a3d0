/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blame.h - findings of the ledger: kept as they are found, said in words later.
 *
 * Debug information is not for the small stacks of threads.
 */
#ifndef SIM_EXPLORE_BLAME_H
#define SIM_EXPLORE_BLAME_H

#include "engine.h"

#include <stdio.h>

/* What a finding is about, in the order of the sentence that is made of it. */
struct blame {
	enum explore_finding finding; /* FIND_NONE: nothing */
	int thread;		      /* filled in */
	const char *verb;	      /* what it does, but in a cycle */
	uintptr_t object;	      /* by name, or 0 */
	uintptr_t held;		      /* of a cycle of locks, or 0 */
	const char *tail;	      /* or NULL */
	const char *since;	      /* ", taken at", with the site; or NULL */
	struct site since_site;
	struct site site; /* where; empty: at its end */
	bool has_step;
	struct explore_step step; /* what it was going to do */
};

void blame_begin_run(void);
/* The running thread ends the run with this finding. */
__attribute__((noreturn)) void blame_fail(const struct blame *b);
/* The running thread closes a cycle of locks: see ledger_be_strict. */
void blame_cycle(const struct blame *b);
/* A step that the running thread is about to make. */
struct explore_step blame_step(enum explore_op op, uintptr_t addr,
			       const void *pc);
/* Where the running thread is in a call that returns to pc; of set-up, nothing. */
struct site blame_site(const void *pc);
/* Its file and line: the innermost that are not the kernel's primitives, or NULL. */
const char *blame_file(const struct site *site, int *line);
/* Write "LEAD FILE:LINE", or nothing if no source is known. */
void blame_place(FILE *to, const char *lead, const struct site *site);
/* To add to the finding's words; the caller closes it. NULL: there is no room. */
FILE *blame_append(void);

#endif /* SIM_EXPLORE_BLAME_H */

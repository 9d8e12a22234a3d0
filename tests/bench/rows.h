/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - what `bench live` measures: one row per kind of hit.
 */
#ifndef TESTS_BENCH_ROWS_H
#define TESTS_BENCH_ROWS_H

#include <stdbool.h>

#include "recipe.h"
#include "series.h"
#include "yardstick.h"

/* Who is hit; the same loop under each. */
enum contender {
	TRAPLINE,
	SAME_CALLS, /* the yardstick with trapline's own recipe */
	MINIMAL,    /* the yardstick with the least that is correct */
	GDB,
	NR_CONTENDERS,
};

struct row {
	const char *name;
	enum yardstick_hit hit;
	const char *options[6]; /* of `trapline trace` */
	/* NULL: written output, which the yardsticks do not have. */
	const char *minimal;
	/* Hits per hit of gdb's that are to be reached; 0: not compared. */
	double gdb_reach;

	struct recipe same;
	struct series times[NR_CONTENDERS];
};

extern struct row rows[];
extern const unsigned int nr_rows;

/* The command line of `trapline trace` for this row; valid until the next. */
char *const *row_trapline(const struct row *row, unsigned int bursts,
			  unsigned int calls);
/* Likewise of gdb with a breakpoint whose condition is never true. */
char *const *row_gdb(const struct row *row, unsigned int bursts,
		     unsigned int calls);
/* Find trapline's own recipe. 0, or -1 and *why. */
int row_record(struct row *row, const char **why);

#endif /* TESTS_BENCH_ROWS_H */

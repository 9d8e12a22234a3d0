/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - a run as a table: one column per thread, one row per step.
 */
#ifndef SIM_EXPLORE_COLUMNS_H
#define SIM_EXPLORE_COLUMNS_H

#include <stdio.h>

struct explore_result;

/*
 * Choose the rows that tell the story: steps on memory that one thread writes
 * and another touches, creation, waiting, and the step that failed; of these
 * what the failed step depends on, if there is one. number[i]
 * becomes the row number of step i, from 1, or 0 if the step is not shown; the
 * caller owns the nr_steps entries. Returns how many are shown.
 */
size_t columns_number(const struct explore_result *r, unsigned int *number);

enum columns_style {
	COLUMNS_RULED, /* lines between columns, named for their threads */
	COLUMNS_CPUS,  /* as in the kernel's changelogs: never too wide */
};

/*
 * Print the table. `mark` stands beside the failed step. Columns share `width`
 * characters; many threads or long names get a wider table if it is ruled, and
 * else one column for all.
 */
void columns_print(FILE *to, const struct explore_result *r,
		   const unsigned int *number, const char *mark,
		   enum columns_style style, int width);

#endif /* SIM_EXPLORE_COLUMNS_H */

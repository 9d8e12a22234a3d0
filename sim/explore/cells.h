/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cells.h - what one cell of the column report says.
 */
#ifndef SIM_EXPLORE_CELLS_H
#define SIM_EXPLORE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

struct explore_result;
struct explore_step;

/* "cmpxchg x: 0 -> 1", with mark (or NULL) behind it. Caller frees. */
char *cell_step(const struct explore_step *step, const char *mark);

/*
 * Why `thread` gave way before step `at`, in brackets: it waits, it was
 * preempted; and the locks that it holds meanwhile. NULL if its last step says
 * all there is. Caller frees.
 */
char *cell_switch(const struct explore_result *r, int thread, size_t at,
		  const unsigned int *number);

/* Would this operation have to wait, were it performed before step `at`? */
bool cell_waits(const struct explore_result *r, const struct explore_step *step,
		size_t at);

#endif /* SIM_EXPLORE_CELLS_H */

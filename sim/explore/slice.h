/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slice.h - what a failed step depends on.
 */
#ifndef SIM_EXPLORE_SLICE_H
#define SIM_EXPLORE_SLICE_H

#include <stdbool.h>
#include <stddef.h>

struct explore_result;

/* Index of the step that the finding is about, or nr_steps if there is none. */
size_t slice_failed(const struct explore_result *r);

/* The step before `at` that freed what the finding is about, or nr_steps. */
size_t slice_freed(const struct explore_result *r, size_t at);

/*
 * Which step wrote what `step` read: `newest`, the newest write before it, unless
 * weaker memory has it otherwise; nr_steps: none of them.
 */
size_t slice_source(const struct explore_result *r, size_t step, size_t newest);

/*
 * needed[i]: the failed step depends on step i, by program order and by who
 * read whose value; with `overwritten`, also on values that were overwritten,
 * which a person wants to see lost. nr_steps entries, the caller's; all false
 * if no one step failed.
 */
void slice_needed(const struct explore_result *r, bool overwritten,
		  bool *needed);

#endif /* SIM_EXPLORE_SLICE_H */

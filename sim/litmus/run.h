/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - a litmus test as threads of the engine, and the states they end in.
 */
#ifndef SIM_LITMUS_RUN_H
#define SIM_LITMUS_RUN_H

#include "litmus.h"

#include "explore.h"

/* One distinct end: values of litmus.item, in that order. */
struct outcome {
	int32_t *value;
	/*
	 * Executions that could not go on: for each thread the call that waits,
	 * or NULL. Itself NULL for those that ended.
	 */
	const struct litmus_expr **waits;
	uint64_t count; /* executions */
};

struct outcomes {
	struct outcome *list; /* sorted by value */
	size_t nr, room;
	uint64_t positive,
		negative;   /* executions that ended, by the condition */
	uint64_t deadlocks; /* executions that did not */
};

/*
 * Set up the engine for t, once per program; then explore. `path` is for
 * messages. Returns -errno if the engine cannot be set up; *r and *out are
 * filled otherwise.
 */
int run_litmus(const struct litmus *t, const char *path,
	       const struct explore_options *opt, struct explore_result *r,
	       struct outcomes *out);

#endif /* SIM_LITMUS_RUN_H */

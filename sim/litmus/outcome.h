/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * outcome.h - final states: their values, the condition, each state once.
 */
#ifndef SIM_LITMUS_OUTCOME_H
#define SIM_LITMUS_OUTCOME_H

#include "run.h"

/* How one execution ended. */
struct final {
	const struct litmus *t;
	int32_t loc[LITMUS_LOCATIONS];
	const int32_t *reg[LITMUS_THREADS];
};

int32_t outcome_item(const struct final *f, struct litmus_item item);
bool outcome_satisfies(const struct final *f, const struct litmus_prop *p);

/* Room for the members of a struct outcome. */
int32_t *outcome_values(const struct litmus *t);
const struct litmus_expr **outcome_waits(const struct litmus *t);

/* Count one execution that ended like *o; takes what *o points to. */
void outcomes_add(struct outcomes *all, const struct litmus *t,
		  struct outcome *o);
void outcomes_clear(struct outcomes *all);

#endif /* SIM_LITMUS_OUTCOME_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interpret.h - one thread of a litmus test, statement by statement.
 */
#ifndef SIM_LITMUS_INTERPRET_H
#define SIM_LITMUS_INTERPRET_H

#include "litmus.h"

struct interpreter;

struct actor {
	const struct interpreter *in;
	int number;
	int32_t reg[LITMUS_REGISTERS];
	int from[LITMUS_REGISTERS]; /* the read that gave it: depend_last() */
	uint64_t held;		    /* spin locks, by location */
	const struct litmus_expr *took[LITMUS_LOCATIONS]; /* where */
	int rcu_depth, rcu_token;
	const struct litmus_expr *entered; /* the last section */
	/* The call that is being performed: in a deadlock, the one that waits. */
	const struct litmus_expr *waits_in;
};

struct interpreter {
	const struct litmus *t;
	const char *path;
	void *word[LITMUS_LOCATIONS]; /* int32_t, sim_lock or sim_rcu */
	struct sim_rcu *rcu;
	struct actor actor[LITMUS_THREADS];
};

/* An engine thread: runs struct actor *arg from its beginning. */
void interpret(void *arg);

#endif /* SIM_LITMUS_INTERPRET_H */

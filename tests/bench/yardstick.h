/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * yardstick.h - a tracer with nothing in it but the system calls of a recipe.
 */
#ifndef TESTS_BENCH_YARDSTICK_H
#define TESTS_BENCH_YARDSTICK_H

#include "recipe.h"

/* What is traced, and what a hit has to bring about. */
enum yardstick_hit {
	YARDSTICK_EMULATE, /* bench_push; the push is done by the tracer */
	YARDSTICK_STEP,	   /* bench_lea; a copy of the lea runs */
	YARDSTICK_JUMP,	   /* the same, and the copy jumps back by itself */
	YARDSTICK_RETURN,  /* bench_push, and its return as well */
};

/* Stops of one hit. */
unsigned int yardstick_stops(enum yardstick_hit hit);
const char *yardstick_function(enum yardstick_hit hit);

/*
 * Trace bench_loop in a child, which prints to `out`. The calls are made for
 * every hit in the order of the recipe; each does what the hit needs next. 0, or
 * -1 with the reason in *why, such as a call that the hit has no use for.
 */
int yardstick_run(enum yardstick_hit hit, const struct recipe *recipe,
		  unsigned int bursts, unsigned int calls, int out,
		  const char **why);

#endif /* TESTS_BENCH_YARDSTICK_H */

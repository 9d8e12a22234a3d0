/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - look at a tracer's system calls from outside.
 */
#ifndef TESTS_BENCH_RECORD_H
#define TESTS_BENCH_RECORD_H

#include "recipe.h"

/*
 * Run a tracer whose program is hit some hundred times, and find the calls that
 * it repeats with each hit of `stops` stops. 0; -1 if the tracer failed; -2 if
 * it repeats nothing.
 */
int record_hit(char *const argv[], unsigned int stops, struct recipe *r);

#endif /* TESTS_BENCH_RECORD_H */

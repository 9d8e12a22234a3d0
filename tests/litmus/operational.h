/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operational.h - a litmus test on a machine that takes one step at a time.
 *
 * Every interleaving and, under TSO, every time at which a store buffer may be
 * emptied. It shares the interpreter of threads with the explorer, and nothing
 * else: locks, sections and grace periods are its own.
 */
#ifndef TESTS_LITMUS_OPERATIONAL_H
#define TESTS_LITMUS_OPERATIONAL_H

#include "litmus.h"

#include <stdbool.h>

/* At most this many threads. */
#define OPERATIONAL_THREADS 4

/* The states reached, one sorted line each, as herd writes them; to be freed. */
char *operational_states(const struct litmus *t, bool tso);

#endif /* TESTS_LITMUS_OPERATIONAL_H */

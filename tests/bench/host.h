/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host.h - where something is measured: which core, and of what.
 */
#ifndef TESTS_BENCH_HOST_H
#define TESTS_BENCH_HOST_H

#include <stdbool.h>

/* Stay on the last core that we may use; its number, or -1. Children do, too. */
int host_pin(void);
/* Run before all others, if that is allowed. */
bool host_before_others(void);

/* Names; static. */
const char *host_processor(void);
const char *host_kernel(void);

#endif /* TESTS_BENCH_HOST_H */

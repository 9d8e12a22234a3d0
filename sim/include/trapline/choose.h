/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trapline/choose.h - choices of data: every way is explored.
 *
 * For scenarios and plain programs alike; neither has to include it. A schedule
 * records a choice that is not 0 as `choose THREAD choose#2 1`: the second choice
 * of that thread is 1.
 */
#ifndef TRAPLINE_CHOOSE_H
#define TRAPLINE_CHOOSE_H

/*
 * A number below `ways`, which is 1 to 256; each of them in some execution. For
 * threads, not for set-up. Orders nothing.
 */
unsigned int trapline_choose(unsigned int ways);

/*
 * At file level: up to n allocations of an execution fail, whichever (kmalloc and
 * its kin without __GFP_NOFAIL; malloc, calloc), as `--alloc-failures n` says,
 * which goes first. `choose THREAD alloc#3 fail` in schedules.
 */
extern const unsigned int trapline_alloc_failures __attribute__((weak));
#define TRAPLINE_ALLOC_FAILURES(n) \
	const unsigned int trapline_alloc_failures = (n)

#endif /* TRAPLINE_CHOOSE_H */

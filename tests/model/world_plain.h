/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * world_plain.h - the world of unit tests: one thread, time that stands still.
 *
 * Basic types only, for kernel-side cases and for libc-side files. Nothing
 * happens by itself: timers, callbacks and work wait until the test lets them
 * run, or until the code under test has to wait. Whoever waits for what nobody
 * will do ends the process with a message.
 */
#ifndef TESTS_MODEL_WORLD_PLAIN_H
#define TESTS_MODEL_WORLD_PLAIN_H

struct task_struct;

/* What `current` is from here on. */
void sim_set_current(struct task_struct *task);

/*
 * What "somebody else" does when the code under test sleeps. Called once per
 * sleep, as whatever task the function makes current; afterwards current is as
 * it was. NULL: nobody is there.
 */
void world_on_sleep(void (*fn)(void));

/* Move time on by so many jiffies; timers that come due run in order. */
void world_advance(unsigned long delta);
/* Run callbacks whose grace period may end, and work, until none is left. */
void world_run_deferred(void);

/* Allocations that are not freed. Ends the process if freed ones changed. */
int world_objects(void);
/* The k-th allocation from here on fails, once; 0: none. */
void world_fail_alloc(int k);
/* So many warnings are expected; one more ends the process. */
void world_expect_warnings(int n);
/* Warnings since then. */
int world_warnings(void);

#endif /* TESTS_MODEL_WORLD_PLAIN_H */

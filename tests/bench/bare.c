// SPDX-License-Identifier: GPL-2.0-only
/*
 * bare.c - a fibre switch, and a callback of instrumented code.
 */
#include "bare.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <trapline/explore.h>

#include "fiber.h"

#define STACK (64 << 10)
#define SWITCHES 1000000
#define ROUNDS 5

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* ---- switches ------------------------------------------------------------------- */

static struct fiber here, there;

static void back(void *unused)
{
	(void)unused;
	for (;;)
		fiber_switch(&there, &here);
}

double bare_switch(void)
{
	void *stack = fiber_stack_alloc(STACK);
	double best = 0;

	if (!stack)
		abort();
	fiber_init(&there, stack, STACK, back, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		double ns, start = now();

		for (int i = 0; i < SWITCHES / 2; i++)
			fiber_switch(&here, &there);
		ns = (now() - start) / SWITCHES;
		if (!round || ns < best)
			best = ns;
	}
	fiber_stack_free(stack, STACK);
	return best;
}

/* ---- callbacks ------------------------------------------------------------------ */

static double *taken; /* of the last run; shared with the child that explores */
static double start;

void bare_begins(void)
{
	start = now();
}

void bare_ends(void)
{
	*taken = (now() - start) / BARE_CALLS;
}

double bare_callback(void)
{
	double best = -1;

	taken = mmap(NULL, sizeof(*taken), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (taken == MAP_FAILED)
		return -1;
	for (int round = 0; round < ROUNDS; round++) {
		struct trapline_result *r =
			trapline_explore("bare", bare_accesses, NULL, NULL);
		bool good = trapline_verdict(r) == TRAPLINE_HOLDS;

		trapline_result_free(r);
		if (!good)
			return -1;
		if (!round || *taken < best)
			best = *taken;
	}
	munmap(taken, sizeof(*taken));
	return best;
}

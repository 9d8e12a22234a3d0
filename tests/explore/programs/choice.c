// SPDX-License-Identifier: GPL-2.0-only
/*
 * choice.c - choices of data: NT threads choose among WAYS each, and allocate
 * twice each. WAYS^NT executions; F failures among 2*NT allocations multiply
 * them by C(2*NT,0) + ... + C(2*NT,F). -DBUG: one combination fails.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef NT
#define NT 2
#endif
#ifndef WAYS
#define WAYS 3
#endif

static int chosen[NT];
static int failed[NT];

static void *thread(void *arg)
{
	long me = (long)arg;
	char *a = malloc(1), *b = malloc(1);

	chosen[me] = trapline_choose(WAYS);
	failed[me] = !a + !b;
	free(a);
	free(b);
	return NULL;
}

int main(void)
{
	pthread_t t[NT];
	int sum = 0;

	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int i = 0; i < NT; i++) {
		pthread_join(t[i], NULL);
		assert(chosen[i] < WAYS);
		sum += failed[i] * WAYS + chosen[i];
	}
#ifdef BUG
	/* the last thread's second allocation, and the last way of each */
	assert(sum != WAYS + NT * (WAYS - 1) || failed[NT - 1] != 1);
#endif
	return 0;
}

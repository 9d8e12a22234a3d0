// SPDX-License-Identifier: GPL-2.0-only
/*
 * mix.c - NT threads make x from x, K times each, without a lock; that it is BAD in
 * the end takes them to lose each other's updates in one certain way.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NT
#define NT 3
#endif
#ifndef K
#define K 2
#endif

static atomic_int x;

static void *run(void *arg)
{
	for (int i = 0; i < K; i++)
		atomic_store(&x, atomic_load(&x) * 3 + (long)arg);
	return NULL;
}

int main(void)
{
	pthread_t t[NT];

	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	assert(x != BAD);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter.scenario.c - what is explored: compiled with the scenario_cflags of
 * trapline-explore.pc.
 */
#include "counter.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define MAX_THREADS 4

int nr_threads = 2;

static atomic_int count, flag[2];
static int seen[2];

static void *add(void *unused)
{
	atomic_fetch_add(&count, 1);
	return NULL;
}

static void *load_and_store(void *unused)
{
	atomic_store(&count, atomic_load(&count) + 1);
	return NULL;
}

static void run(void *(*fn)(void *))
{
	pthread_t thread[MAX_THREADS];

	for (int i = 0; i < nr_threads; i++)
		pthread_create(&thread[i], NULL, fn, NULL);
	for (int i = 0; i < nr_threads; i++)
		pthread_join(thread[i], NULL);
	assert(count == nr_threads);
}

void count_atomically(void *unused)
{
	run(add);
}

void count_by_hand(void *unused)
{
	run(load_and_store);
}

static void *raise_flag(void *which)
{
	int me = which != NULL;

	atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
	seen[me] = atomic_load_explicit(&flag[!me], memory_order_relaxed);
	return NULL;
}

void raise_flags(void *unused)
{
	pthread_t a, b;

	pthread_create(&a, NULL, raise_flag, NULL);
	pthread_create(&b, NULL, raise_flag, &nr_threads);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(seen[0] || seen[1]);
}

void write_there(void *to)
{
	++*(int *)to;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One writer, two rounds; NR readers, one attempt each. A reader that saw an even
 * count twice has a pair of one round.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NR
#define NR 1
#endif

static atomic_int count, left, right;

static void *writer(void *arg)
{
	for (int round = 1; round <= 2; round++) {
		int c = atomic_load_explicit(&count, memory_order_relaxed);

		atomic_store_explicit(&count, c + 1, memory_order_relaxed);
		atomic_thread_fence(memory_order_release);
		atomic_store_explicit(&left, round, memory_order_relaxed);
		atomic_store_explicit(&right, round, memory_order_relaxed);
#ifndef BUG
		atomic_store_explicit(&count, c + 2, memory_order_release);
#endif
	}
	return NULL;
}

static void *reader(void *arg)
{
	int c = atomic_load_explicit(&count, memory_order_acquire), l, r;

	if (c & 1)
		return NULL;
	l = atomic_load_explicit(&left, memory_order_relaxed);
	r = atomic_load_explicit(&right, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	if (atomic_load_explicit(&count, memory_order_relaxed) == c)
		assert(l == r);
	return NULL;
}

int main(void)
{
	pthread_t t[NR + 1];

	pthread_create(&t[0], NULL, writer, NULL);
	for (int i = 1; i <= NR; i++)
		pthread_create(&t[i], NULL, reader, NULL);
	for (int i = 0; i <= NR; i++)
		pthread_join(t[i], NULL);
	return 0;
}

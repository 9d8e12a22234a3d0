// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sequence lock: a reader tries again until the count was even and the same before
 * and after. Broken: the writer makes it odd once it has begun to write.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint count, left, right;

static void *writer(void *arg)
{
#ifdef BROKEN
	atomic_store_explicit(&left, 1, memory_order_relaxed);
	atomic_store_explicit(&count, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
#else
	atomic_store_explicit(&count, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&left, 1, memory_order_relaxed);
#endif
	atomic_store_explicit(&right, 1, memory_order_relaxed);
	atomic_store_explicit(&count, 2, memory_order_release);
	return NULL;
}

static void *reader(void *arg)
{
	unsigned int c, l, r;

	do {
		while ((c = atomic_load_explicit(&count,
						 memory_order_acquire)) &
		       1)
			;
		l = atomic_load_explicit(&left, memory_order_relaxed);
		r = atomic_load_explicit(&right, memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
	} while (atomic_load_explicit(&count, memory_order_relaxed) != c);
	assert(l == r);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

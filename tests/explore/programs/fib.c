// SPDX-License-Identifier: GPL-2.0-only
/* Two words, each thread N times adds the other word to its own. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int word[2] = { 1, 1 };

static void *run(void *arg)
{
	atomic_int *mine = &word[(long)arg], *other = &word[!(long)arg];

	for (int i = 0; i < N; i++) {
		int a = atomic_load_explicit(mine, memory_order_relaxed);
		int b = atomic_load_explicit(other, memory_order_relaxed);

		atomic_store_explicit(mine, a + b, memory_order_relaxed);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* N threads write one word: N! orders. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif

static atomic_int word;

static void *run(void *arg)
{
	atomic_store_explicit(&word, (int)(long)arg, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}

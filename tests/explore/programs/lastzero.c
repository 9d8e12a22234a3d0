// SPDX-License-Identifier: GPL-2.0-only
/* N writers make a[i] = a[i-1] + 1; a reader looks for the last zero. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10
#endif

static atomic_int a[N + 1];

static void *reader(void *arg)
{
	int i = N;

	while (i >= 0 && atomic_load_explicit(&a[i], memory_order_relaxed))
		i--;
	return NULL;
}

static void *writer(void *arg)
{
	long i = (long)arg;
	int v = atomic_load_explicit(&a[i - 1], memory_order_relaxed);

	atomic_store_explicit(&a[i], v + 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t t[N + 1];

	pthread_create(&t[0], NULL, reader, NULL);
	for (long i = 1; i <= N; i++)
		pthread_create(&t[i], NULL, writer, (void *)i);
	for (int i = 0; i <= N; i++)
		pthread_join(t[i], NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads.c - many threads: NT of them, and main. Each writes a word of its own; the
 * last two also add to one (2 executions).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NT
#define NT 100
#endif

static atomic_int mine[NT], shared;

static void *thread(void *arg)
{
	long me = (long)arg;

	atomic_store(&mine[me], 1);
	if (me >= NT - 2)
		atomic_fetch_add(&shared, 1);
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
		sum += atomic_load(&mine[i]);
	}
	assert(sum == NT && atomic_load(&shared) == 2);
	return 0;
}

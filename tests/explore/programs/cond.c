// SPDX-License-Identifier: GPL-2.0-only
/*
 * NT threads wait until one says that it is ready. Of each way to wait, how many
 * executions there are can be counted by who locks when: see test_counts.c.
 */
#include <assert.h>
#include <pthread.h>

#ifndef NT
#define NT 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef IF
	if (!ready)
#else
	while (!ready)
#endif
		pthread_cond_wait(&changed, &lock);
	assert(ready);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *teller(void *arg)
{
#ifndef LOST
	pthread_mutex_lock(&lock);
#endif
	ready = 1;
#ifdef SIGNALS
	for (int i = 0; i < SIGNALS; i++)
		pthread_cond_signal(&changed);
#else
	pthread_cond_broadcast(&changed);
#endif
#ifndef LOST
	pthread_mutex_unlock(&lock);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[NT + 1];

	for (int i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, waiter, NULL);
	pthread_create(&t[NT], NULL, teller, NULL);
	for (int i = 0; i <= NT; i++)
		pthread_join(t[i], NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Constructors run on main's thread before it, by priority, a destructor after it; they
 * are explored as main is. -DLATE: it asserts what is not so; -DENDLESS: one has no end.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int order, inits;

__attribute__((constructor)) static void second(void)
{
	assert(order++ == 1);
	pthread_mutex_init(&mutex, NULL);
#ifdef ENDLESS
	for (;;)
		__asm__ volatile("");
#endif
}

__attribute__((constructor(200))) static void first(void)
{
	assert(order++ == 0);
}

static void *run(void *arg)
{
	pthread_mutex_lock(&mutex);
	inits++;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	assert(order++ == 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

__attribute__((destructor)) static void last(void)
{
	assert(order == 3 && inits == 2);
#ifdef LATE
	assert(inits == 1);
#endif
}

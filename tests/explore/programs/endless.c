// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that never ends: it reads a word that nobody writes; COUNT: it counts;
 * BUSY: it touches nothing.
 */
#include <pthread.h>

static volatile int stop;

static void *run(void *arg)
{
#ifdef BUSY
	for (;;)
		__asm__ volatile("");
#elif defined(COUNT)
	for (;;)
		stop++;
#else
	while (!stop)
		;
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
	return 0;
}

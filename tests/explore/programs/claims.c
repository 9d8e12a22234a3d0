// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads are joined or detached, once. -DTWICE: by main, twice; -DBOTH: by main and by
 * another; -DDETACH: detached after it was joined; -DDETACHED: the other way round;
 * -DNONE: what is no thread.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_t one;

static void *run(void *arg)
{
	return arg;
}

static void *join(void *arg)
{
#ifdef BOTH
	pthread_join(one, NULL);
#endif
	return arg;
}

int main(void)
{
	pthread_t other, detached;

	pthread_create(&one, NULL, run, NULL);
	pthread_create(&other, NULL, join, NULL);
	pthread_create(&detached, NULL, run, NULL);
	pthread_detach(detached);
#ifdef DETACHED
	pthread_detach(one);
#endif
	pthread_join(one, NULL);
	pthread_join(other, NULL);
#ifdef TWICE
	pthread_join(one, NULL);
#endif
#ifdef DETACH
	pthread_detach(one);
#endif
#ifdef NONE
	pthread_detach(77);
#endif
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* A mutex is unlocked by who does not hold it: another thread does; -DNOBODY does. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
#if !defined(FIXED) && !defined(NOBODY)
	pthread_mutex_unlock(&gate);
#endif
	return NULL;
}

int main(void)
{
	void *lost = malloc(8);
	pthread_t t;

#ifndef NOBODY
	pthread_mutex_lock(&gate);
#endif
	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
	pthread_mutex_unlock(&gate);
#ifdef FREED
	free(lost);
#else
	lost = NULL;
#endif
	return 0;
}

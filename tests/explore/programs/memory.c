// SPDX-License-Identifier: GPL-2.0-only
/*
 * What can go wrong with memory, one at a time: -DLATE_USE, -DTWICE, -DINSIDE,
 * -DNULL_POINTER; nothing defined: nothing goes wrong.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *user(void *arg)
{
	int *p = atomic_load(&shared);

	if (p)
		(*p)++;
	return NULL;
}

static void *owner(void *arg)
{
	int *p = atomic_exchange(&shared, NULL);

#ifdef LATE_USE
	free(p);
#elif defined(TWICE)
	pthread_join(*(pthread_t *)arg, NULL);
	free(p);
	free(p);
#elif defined(INSIDE)
	pthread_join(*(pthread_t *)arg, NULL);
	free(p + 1);
#elif defined(NULL_POINTER)
	*(volatile int *)atomic_load(&shared) = 1;
#else
	pthread_join(*(pthread_t *)arg, NULL);
	free(p);
#endif
	return NULL;
}

int main(void)
{
	static pthread_t a, b;
	int *p = malloc(2 * sizeof(*p));

	*p = 0;
	atomic_store(&shared, p);
	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, owner, &a);
	pthread_join(b, NULL);
	return 0;
}

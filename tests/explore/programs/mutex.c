// SPDX-License-Identifier: GPL-2.0-only
/* NT threads increment a counter once each under a mutex: NT! orders. */
#include <assert.h>
#include <pthread.h>

#ifndef NT
#define NT 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *run(void *arg)
{
#ifndef BUG
	pthread_mutex_lock(&lock);
#endif
	counter++;
#ifndef BUG
	pthread_mutex_unlock(&lock);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[NT];

	for (int i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	assert(counter == NT);
	return 0;
}

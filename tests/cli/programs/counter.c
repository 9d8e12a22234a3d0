// SPDX-License-Identifier: GPL-2.0-only
/* Two threads count; with LOCKED they take turns. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

static void *count(void *arg)
{
#ifdef LOCKED
	pthread_mutex_lock(&lock);
#endif
	counter = counter + 1;
#ifdef LOCKED
	pthread_mutex_unlock(&lock);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, count, NULL);
	pthread_create(&b, NULL, count, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}

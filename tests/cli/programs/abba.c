// SPDX-License-Identifier: GPL-2.0-only
/* Two locks, taken in both orders. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *backward(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t x, y;

	pthread_create(&x, NULL, forward, NULL);
	pthread_create(&y, NULL, backward, NULL);
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	return 0;
}

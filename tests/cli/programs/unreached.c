// SPDX-License-Identifier: GPL-2.0-only
/* One function is never entered, and a branch of another is never taken. */
#include <assert.h>
#include <pthread.h>

static volatile int errors;

__attribute__((noinline, noclone)) static void failed(void)
{
	errors++;
}

/* Touches no memory and calls nothing. */
__attribute__((noinline)) static int twice(int x)
{
	return 2 * x;
}

static void *thread(void *arg)
{
	if (twice(errors))
		failed();
	else
		assert(!errors);
	return arg;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
	}
	return 0;
}

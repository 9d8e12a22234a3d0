// SPDX-License-Identifier: GPL-2.0-only
/* One function is never entered, and one does not tell. */
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
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}

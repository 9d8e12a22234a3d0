// SPDX-License-Identifier: GPL-2.0-only
/* Two owners. */
#include <pthread.h>
#include <stdlib.h>

static int *volatile shared;

static void *drop(void *arg)
{
	int *p = shared;

	shared = NULL;
	free(p);
	return arg;
}

int main(void)
{
	pthread_t t;

	shared = malloc(sizeof(*shared));
	pthread_create(&t, NULL, drop, NULL);
	drop(NULL);
	pthread_join(t, NULL);
	return 0;
}

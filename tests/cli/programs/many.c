// SPDX-License-Identifier: GPL-2.0-only
/* More executions than anybody waits for. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *add(void *arg)
{
	for (int i = 0; i < 6; i++)
		atomic_fetch_add(&x, 1);
	return arg;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Independent reads of independent writes: both readers agree, if STORE and LOAD
 * are seq_cst.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen[4];

static void *write_to(void *to)
{
	atomic_store_explicit((atomic_int *)to, 1, STORE);
	return NULL;
}

static void *read_xy(void *arg)
{
	seen[0] = atomic_load_explicit(&x, LOAD);
	seen[1] = atomic_load_explicit(&y, LOAD);
	return NULL;
}

static void *read_yx(void *arg)
{
	seen[2] = atomic_load_explicit(&y, LOAD);
	seen[3] = atomic_load_explicit(&x, LOAD);
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	pthread_create(&t[0], NULL, write_to, &x);
	pthread_create(&t[1], NULL, write_to, &y);
	pthread_create(&t[2], NULL, read_xy, NULL);
	pthread_create(&t[3], NULL, read_yx, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert(!(seen[0] && !seen[1] && seen[2] && !seen[3]));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ticket lock around a counter. Broken: a ticket is read and then counted up, so
 * that two may draw the same.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NT 3

static atomic_uint next, owner;
static int counter;

static void *run(void *arg)
{
	unsigned int mine;

#ifdef BROKEN
	mine = atomic_load(&next);
	atomic_store(&next, mine + 1);
#else
	mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
#endif
	while (atomic_load_explicit(&owner, memory_order_acquire) != mine)
		;
	counter++;
	atomic_store_explicit(&owner, mine + 1, memory_order_release);
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

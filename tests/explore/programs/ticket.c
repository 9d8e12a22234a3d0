// SPDX-License-Identifier: GPL-2.0-only
/* A ticket lock around a counter; waiting is an assumption. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NT
#define NT 3
#endif

void __VERIFIER_assume(int condition);

static atomic_int next, owner;
static int counter;

static void *run(void *arg)
{
	int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
	int c;

	__VERIFIER_assume(atomic_load_explicit(&owner, memory_order_acquire) ==
			  ticket);
	c = counter;
	counter = c + 1;
	atomic_store_explicit(&owner, ticket + 1, memory_order_release);
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

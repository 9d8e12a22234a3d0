// SPDX-License-Identifier: GPL-2.0-only
/*
 * Store buffering by atomics in STORE's and LOAD's order; -DXCHG stores by an exchange,
 * -DCAS loads by a compare-exchange that finds something else.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word[2];
static int seen[2];

static void set(atomic_int *p)
{
#ifdef XCHG
	atomic_exchange_explicit(p, 1, STORE);
#else
	atomic_store_explicit(p, 1, STORE);
#endif
}

static int get(atomic_int *p)
{
#ifdef CAS
	int found = 2;

	atomic_compare_exchange_strong_explicit(p, &found, 3,
						memory_order_seq_cst, LOAD);
	return found;
#else
	return atomic_load_explicit(p, LOAD);
#endif
}

static void *run(void *arg)
{
	int i = arg != NULL;

	set(&word[i]);
	seen[i] = get(&word[!i]);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, i ? t : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(seen[0] || seen[1]);
	return 0;
}

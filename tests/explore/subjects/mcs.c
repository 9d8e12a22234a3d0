// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lock of Mellor-Crummey and Scott: who waits does so on a node of their own.
 * Broken: who leaves and sees no successor takes the lock for free, though one may
 * have queued up and not yet said so.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NT 2

struct node {
	_Atomic(struct node *) next;
	atomic_int wait;
};

static _Atomic(struct node *) tail;
static struct node nodes[NT];
static int counter;

static void lock(struct node *me)
{
	struct node *before;

	atomic_store_explicit(&me->wait, 1, memory_order_relaxed);
	before = atomic_exchange(&tail, me);
	if (!before)
		return;
	atomic_store_explicit(&before->next, me, memory_order_release);
	while (atomic_load_explicit(&me->wait, memory_order_acquire))
		;
}

static void unlock(struct node *me)
{
	struct node *end = me, *after;

	after = atomic_load_explicit(&me->next, memory_order_acquire);
	if (!after) {
#ifdef BROKEN
		atomic_store(&tail, NULL);
		return;
#endif
		if (atomic_compare_exchange_strong(&tail, &end, NULL))
			return;
		while (!(after = atomic_load_explicit(&me->next,
						      memory_order_acquire)))
			;
	}
	atomic_store_explicit(&after->wait, 0, memory_order_release);
}

static void *run(void *arg)
{
	struct node *me = &nodes[(long)arg];

	lock(me);
	counter++;
	unlock(me);
	return NULL;
}

int main(void)
{
	pthread_t t[NT];

	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	assert(counter == NT);
	return 0;
}

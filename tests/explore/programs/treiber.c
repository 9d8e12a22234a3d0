// SPDX-License-Identifier: GPL-2.0-only
/*
 * Treiber's stack: NT threads push a node of their own, then pop one; at most K
 * attempts at each. No node is handed out twice.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NT
#define NT 2
#endif
#ifndef K
#define K 2
#endif

static atomic_int top, next[NT + 1];
static int popped[NT];

static void push(int node)
{
	for (int i = 0; i < K; i++) {
		int t = atomic_load_explicit(&top, memory_order_relaxed);

		atomic_store_explicit(&next[node], t, memory_order_relaxed);
		if (atomic_compare_exchange_strong_explicit(
			    &top, &t, node, memory_order_acq_rel,
			    memory_order_relaxed))
			return;
	}
}

static int pop(void)
{
	for (int i = 0; i < K; i++) {
		int t = atomic_load_explicit(&top, memory_order_acquire), n;

		if (!t)
			return 0;
		n = atomic_load_explicit(&next[t], memory_order_relaxed);
		if (atomic_compare_exchange_strong_explicit(
			    &top, &t, n, memory_order_acq_rel,
			    memory_order_relaxed))
			return t;
	}
	return 0;
}

static void *run(void *arg)
{
	int me = (int)(long)arg;

	push(me + 1);
	popped[me] = pop();
	return NULL;
}

int main(void)
{
	pthread_t t[NT];

	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < NT; i++)
		for (int j = 0; j < i; j++)
			assert(!popped[i] || popped[i] != popped[j]);
	return 0;
}

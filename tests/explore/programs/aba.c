// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stack 1 -> 2 -> 3 without protection: one thread pops, the other pops two and
 * pushes the first back. The second must not be reachable then.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 1, next[4] = { 0, 2, 3, 0 };
static int taken;

static int pop(void)
{
	int t = atomic_load(&top), n;

	if (!t)
		return 0;
	n = atomic_load(&next[t]);
	return atomic_compare_exchange_strong(&top, &t, n) ? t : 0;
}

static void push(int node)
{
	int t = atomic_load(&top);

	atomic_store(&next[node], t);
	atomic_compare_exchange_strong(&top, &t, node);
}

static void *popper(void *arg)
{
	pop();
	return NULL;
}

static void *recycler(void *arg)
{
	int first = pop();

	taken = pop();
	if (first)
		push(first);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int n = 0;

	pthread_create(&a, NULL, popper, NULL);
	pthread_create(&b, NULL, recycler, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (int t = atomic_load(&top); t && n < 5; n++) {
		assert(t != taken);
		t = atomic_load(&next[t]);
	}
	return 0;
}

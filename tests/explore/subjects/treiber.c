// SPDX-License-Identifier: GPL-2.0-only
/*
 * Treiber's stack of numbered nodes. One thread pops while another pops two and
 * pushes the first back: without a counter beside the top, the first finds the top
 * that it saw, and installs a next that is long gone (ABA).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODE(top) ((top)&0xffff)

static atomic_uint top;
static atomic_uint next[3];
static int taken[3];

static unsigned int tagged(unsigned int old, unsigned int node)
{
#ifdef BROKEN
	return node;
#else
	return (old & 0xffff0000) + 0x10000 + node;
#endif
}

static void push(unsigned int node)
{
	unsigned int t;

	do {
		t = atomic_load(&top);
		atomic_store(&next[node], NODE(t));
	} while (!atomic_compare_exchange_strong(&top, &t, tagged(t, node)));
}

static unsigned int pop(void)
{
	unsigned int t, after;

	do {
		t = atomic_load(&top);
		if (!NODE(t))
			return 0;
		after = atomic_load(&next[NODE(t)]);
	} while (!atomic_compare_exchange_strong(&top, &t, tagged(t, after)));
	return NODE(t);
}

static void *one(void *arg)
{
	taken[pop()]++;
	return NULL;
}

static void *two(void *arg)
{
	unsigned int a = pop(), b = pop();

	taken[b]++;
	if (a)
		push(a);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	unsigned int node;

	push(2);
	push(1);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	while ((node = pop()))
		taken[node]++;
	assert(taken[1] == 1 && taken[2] == 1);
	return 0;
}

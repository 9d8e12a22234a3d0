// SPDX-License-Identifier: GPL-2.0-only
/*
 * fences.c - C11's weaker fences, and a compare-exchange that fails. SB: two threads
 * write one word and read the other. CAS: message passing, the flag read by a
 * compare-exchange that finds something else; its order then is FAILED. Else the flag
 * is relaxed, with fences.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FAILED
#define FAILED memory_order_relaxed
#endif

static atomic_int x, y;
static int r0, r1;

static void set(atomic_int *p)
{
	atomic_store_explicit(p, 1, memory_order_relaxed);
}

static int get(atomic_int *p)
{
	return atomic_load_explicit(p, memory_order_relaxed);
}

static int find(atomic_int *p)
{
	int found = 2;

	atomic_compare_exchange_strong_explicit(p, &found, 3,
						memory_order_acq_rel, FAILED);
	return found;
}

static void *first(void *arg)
{
	set(&x);
#ifdef SB
	atomic_thread_fence(memory_order_acq_rel);
	r0 = get(&y);
#else
	atomic_thread_fence(memory_order_release);
	set(&y);
#endif
	return NULL;
}

static void *second(void *arg)
{
#ifdef SB
	set(&y);
	atomic_thread_fence(memory_order_acq_rel);
#elif defined(CAS)
	r0 = find(&y);
#else
	r0 = get(&y);
	atomic_thread_fence(memory_order_acquire);
#endif
	r1 = get(&x);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifndef SB
	assert(!r0 || r1);
#endif
	return 0;
}

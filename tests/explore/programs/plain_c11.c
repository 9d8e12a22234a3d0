// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plain payload behind an atomic flag, written in SET's order and read in GET's; with
 * -DFENCES=1 the writer's order is a fence's, with 2 the reader's, with 3 both. -DADDED:
 * a third thread adds to the flag in between, relaxed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef FENCES
#define FENCES 0
#endif
#ifdef ADDED
#define SEEN 2
#else
#define SEEN 1
#endif

static atomic_int flag;
int data, sink;

static void *writer(void *arg)
{
	data = 1;
#if FENCES & 1
	atomic_thread_fence(SET);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
	atomic_store_explicit(&flag, 1, SET);
#endif
	return NULL;
}

static void *reader(void *arg)
{
#if FENCES & 2
	int seen = atomic_load_explicit(&flag, memory_order_relaxed);

	atomic_thread_fence(GET);
#else
	int seen = atomic_load_explicit(&flag, GET);
#endif
	if (seen == SEEN)
		sink = data;
	return NULL;
}

static void *adder(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	void *(*run[])(void *) = { writer, reader, adder };
	pthread_t t[3];

	data = 7; /* before they begin */
	for (int i = 0; i < SEEN + 1; i++)
		pthread_create(&t[i], NULL, run[i], NULL);
	for (int i = 0; i < SEEN + 1; i++)
		pthread_join(t[i], NULL);
	return data != 1; /* and after they have ended */
}

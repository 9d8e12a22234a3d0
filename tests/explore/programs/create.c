// SPDX-License-Identifier: GPL-2.0-only
/*
 * create.c - a thread is created once a flag is seen: that orders what its creator did
 * before, but not what the writer of the flag did (lkmm). WMB: he ordered that himself.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

#ifdef WMB
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

static void *look(void *arg)
{
	assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
	return NULL;
}

static void *wait(void *arg)
{
	pthread_t t;

	if (!atomic_load_explicit(&flag, memory_order_relaxed))
		return NULL;
	pthread_create(&t, NULL, look, NULL);
	pthread_join(t, NULL);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait, NULL);
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, ORDER);
	pthread_join(t, NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Message passing: data, then a flag; the flag, then the data. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int got_flag, got_data;

static void *send(void *arg)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return NULL;
}

static void *receive(void *arg)
{
	got_flag = atomic_load_explicit(&flag, memory_order_relaxed);
	got_data = atomic_load_explicit(&data, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, send, NULL);
	pthread_create(&b, NULL, receive, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!got_flag || got_data);
	return 0;
}

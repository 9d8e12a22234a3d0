// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin.c - loops that wait, unchanged: a flag of NT-1 readers (1 execution); with
 * -DLOCK a lock taken by compare-and-exchange in a loop (NT! executions, one per
 * order), or with -DXCHG by an exchange; -DTWO waits for one of two words
 * (2 executions: by the one or by the other); -DNEVER nobody sets the flag;
 * -DNEVER -DPRIVATE nobody else knows it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef NT
#define NT 2
#endif

static atomic_int flag, other, lock;
static int data;

#if defined(LOCK)
static void *thread(void *arg)
{
	int none;

	do
		none = 0;
	while (!atomic_compare_exchange_strong(&lock, &none, 1));
	data++;
	atomic_store(&lock, 0);
	return NULL;
}
#elif defined(XCHG)
static void *thread(void *arg)
{
	(void)arg;
	while (atomic_exchange(&lock, 1))
		;
	data++;
	atomic_store(&lock, 0);
	return NULL;
}
#elif defined(TWO)
static void *thread(void *arg)
{
	if (arg == (void *)0)
		while (!atomic_load(&flag) && !atomic_load(&other))
			;
	else
		atomic_store(arg == (void *)1 ? &flag : &other, 1);
	return NULL;
}
#else
static void *thread(void *arg)
{
	if (arg == (void *)0) {
		data = 1;
#ifdef NEVER
		atomic_store(&other, 1);
#else
		atomic_store(&flag, 1);
#endif
		return NULL;
	}
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	assert(data == 1);
	return NULL;
}
#endif

int main(void)
{
	pthread_t t[NT];

	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
#ifdef NEVER
	/* somebody may write it, so it is shared, but he does not */
	if (atomic_load(&other) == 2)
		atomic_store(&flag, 1);
#endif
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
#if defined(LOCK) || defined(XCHG)
	assert(data == NT);
#endif
	return 0;
}

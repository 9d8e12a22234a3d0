// SPDX-License-Identifier: GPL-2.0-only
/*
 * What others wait with is destroyed when they are done, and made again; with
 * -DEARLY=MUTEX, SPIN, RWLOCK, COND, BARRIER: that while it is in use.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { NOTHING, MUTEX, SPIN, RWLOCK, COND, BARRIER };
#ifndef EARLY
#define EARLY NOTHING
#endif

static pthread_mutex_t mutex;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock;
static pthread_cond_t cond;
static pthread_barrier_t barrier;
static int done;

static void init(void)
{
	pthread_mutex_init(&mutex, NULL);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_rwlock_init(&rwlock, NULL);
	pthread_cond_init(&cond, NULL);
	pthread_barrier_init(&barrier, NULL, 2);
}

static void destroy(int what)
{
	if (!what || what == MUTEX)
		pthread_mutex_destroy(&mutex);
	if (!what || what == SPIN)
		pthread_spin_destroy(&spin);
	if (!what || what == RWLOCK)
		pthread_rwlock_destroy(&rwlock);
	if (!what || what == COND)
		pthread_cond_destroy(&cond);
	if (!what || what == BARRIER)
		pthread_barrier_destroy(&barrier);
}

static void *run(void *arg)
{
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_mutex_lock(&mutex);
	while (!done)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_t t;

	init();
	pthread_create(&t, NULL, run, NULL);
	if (EARLY && EARLY != BARRIER)
		destroy(EARLY);
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	if (EARLY == BARRIER)
		destroy(BARRIER);
	pthread_barrier_wait(&barrier);
	pthread_join(t, NULL);
	destroy(NOTHING);
	init();
	destroy(NOTHING);
	return 0;
}

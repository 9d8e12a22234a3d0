// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mutexes that know their owner, by attribute or (-DSTATIC) by initialiser. Two threads
 * take them twice, where that is allowed. Mistakes: -DTWICE takes a normal one twice,
 * -DKEEP drops a recursive one once too few, -DWAIT waits for a condition with one
 * that is taken twice, -DSTRANGE locks what is no mutex.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checks = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int count, checked;

static void init(pthread_mutex_t *m, int kind)
{
#ifndef STATIC
	pthread_mutexattr_t a;
	int is = -1;

	assert(!pthread_mutexattr_init(&a));
	assert(pthread_mutexattr_settype(&a, 77) == EINVAL);
	assert(!pthread_mutexattr_settype(&a, kind));
	assert(!pthread_mutexattr_gettype(&a, &is) && is == kind);
	memset(m, 0, sizeof(*m));
	assert(!pthread_mutex_init(m, &a));
	assert(!pthread_mutexattr_destroy(&a));
#endif
}

static void *run(void *arg)
{
	assert(pthread_mutex_unlock(&recursive) == EPERM);
	assert(!pthread_mutex_lock(&recursive));
	assert(!pthread_mutex_lock(&recursive));
	assert(!pthread_mutex_trylock(&recursive));
	assert(!pthread_mutex_unlock(&recursive));
	assert(!pthread_mutex_unlock(&recursive));
	count++;
#ifndef KEEP
	assert(!pthread_mutex_unlock(&recursive));
#endif

	assert(pthread_mutex_unlock(&checks) == EPERM);
	assert(!pthread_mutex_lock(&checks));
	assert(pthread_mutex_lock(&checks) == EDEADLK);
	assert(pthread_mutex_trylock(&checks) == EBUSY);
	checked++;
	assert(!pthread_mutex_unlock(&checks));
	assert(pthread_mutex_unlock(&checks) == EPERM);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	init(&recursive, PTHREAD_MUTEX_RECURSIVE);
	init(&checks, PTHREAD_MUTEX_ERRORCHECK);
	assert(pthread_cond_wait(&never, &checks) == EPERM);
#ifdef TWICE
	pthread_mutex_t plain = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

	pthread_mutex_lock(&plain);
	pthread_mutex_lock(&plain);
#endif
#ifdef WAIT
	pthread_mutex_lock(&recursive);
	pthread_mutex_lock(&recursive);
	pthread_cond_wait(&never, &recursive);
#endif
#ifdef STRANGE
	pthread_mutex_t strange;

	memset(&strange, 0x55, sizeof(strange));
	pthread_mutex_lock(&strange);
#endif
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(count == 2 && checked == 2);
	return 0;
}

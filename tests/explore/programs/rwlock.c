// SPDX-License-Identifier: GPL-2.0-only
/*
 * NR readers see both halves of what one writer writes. With two readers their four
 * steps have 6 orders, and the writer fits where no reader is inside: 2 * 3 + 4 * 2.
 */
#include <assert.h>
#include <pthread.h>

#ifndef NR
#define NR 1
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *reader(void *arg)
{
#ifdef TRY
	if (pthread_rwlock_tryrdlock(&lock))
		return NULL;
#elif !defined(UNLOCKED)
	pthread_rwlock_rdlock(&lock);
#endif
	assert(left == right);
#ifndef UNLOCKED
	pthread_rwlock_unlock(&lock);
#endif
	return NULL;
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	left = 1;
	right = 1;
	pthread_rwlock_unlock(&lock);
#ifdef TWICE
	pthread_rwlock_unlock(&lock);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[NR + 1];

	pthread_create(&t[NR], NULL, writer, NULL);
	for (int i = 0; i < NR; i++)
		pthread_create(&t[i], NULL, reader, NULL);
	for (int i = 0; i <= NR; i++)
		pthread_join(t[i], NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Who am I; spin locks; memory that moves, or is aligned. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_spinlock_t lock;
static pthread_t who[2];
static int *list;
static int n;

static void *run(void *arg)
{
	long me = (long)arg;

	who[me] = pthread_self();
	pthread_spin_lock(&lock);
#ifdef KEEP
	int *old = list;
#endif
	list = realloc(list, (n + 1) * sizeof(*list));
	list[n++] = me;
#ifdef KEEP
	if (old)
		old[0] = 3;
#endif
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	void *p;

	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 2; i++)
		assert(pthread_equal(t[i], who[i]));
	assert(!pthread_equal(t[0], pthread_self()));
	assert(n == 2 && list[0] + list[1] == 1);
	list = realloc(list, sizeof(*list));
	assert(list[0] == 0 || list[0] == 1);
	free(list);
	assert(!posix_memalign(&p, 256, 10) && (uintptr_t)p % 256 == 0);
	free(p);
	p = aligned_alloc(64, 64);
	assert((uintptr_t)p % 64 == 0);
	free(p);
#ifdef NO_THREAD
	pthread_join(77, NULL);
#endif
	return 0;
}

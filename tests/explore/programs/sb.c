// SPDX-License-Identifier: GPL-2.0-only
/* Store buffering: each thread writes its word and reads the other's. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word[2];
static int seen[2];

static void *run(void *arg)
{
	long me = (long)arg;

	atomic_store_explicit(&word[me], 1, memory_order_relaxed);
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	seen[me] = atomic_load_explicit(&word[!me], memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
#ifdef CHECK
	assert(seen[0] || seen[1]);
#endif
	return 0;
}

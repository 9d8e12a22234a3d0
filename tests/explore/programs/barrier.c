// SPDX-License-Identifier: GPL-2.0-only
/* NT threads meet ROUNDS times: (NT!)^ROUNDS orders. What is written before is seen. */
#include <assert.h>
#include <pthread.h>

#ifndef NT
#define NT 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef COUNT
#define COUNT NT
#endif

static pthread_barrier_t barrier;
static int came[ROUNDS][NT], last[ROUNDS][NT];

static void *run(void *arg)
{
	long me = (long)arg;

	for (int r = 0; r < ROUNDS; r++) {
		came[r][me] = 1;
		last[r][me] = pthread_barrier_wait(&barrier) ==
			      PTHREAD_BARRIER_SERIAL_THREAD;
		for (int i = 0; i < NT; i++)
			assert(came[r][i]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[NT];

	pthread_barrier_init(&barrier, NULL, COUNT);
	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	for (int r = 0; r < ROUNDS; r++) {
		int n = 0;

		for (int i = 0; i < NT; i++)
			n += last[r][i];
		assert(n == 1);
	}
	pthread_barrier_destroy(&barrier);
	return 0;
}

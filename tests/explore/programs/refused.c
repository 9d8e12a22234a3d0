// SPDX-License-Identifier: GPL-2.0-only
/* What a plain program may not do, one at a time; and a frame that is too big. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#ifdef TLS
static __thread int mine;
#endif

static void *run(void *arg)
{
#ifdef FORK
	fork();
#elif defined(TLS)
	mine++;
#elif defined(EXIT)
	exit(3);
#elif defined(STRDUP)
	free(strdup("x"));
#elif defined(THREADS)
	thrd_create(NULL, NULL, NULL);
#elif defined(ASM)
	__asm__ volatile("nop");
#elif defined(ATOMIC16)
	static __int128 wide;

	__atomic_fetch_add(&wide, 1, __ATOMIC_SEQ_CST);
#elif defined(IMPLICIT)
	undeclared(arg);
#elif defined(SYNTAX)
	return return;
#elif defined(HUGE_OBJECT)
	char *p = malloc(16000000);

	*p = 1;
	free(p);
#elif defined(BIG)
	volatile char frame[BIG];

	frame[0] = 1;
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;

#ifdef MANY
	for (int i = 0; i < 127; i++)
		pthread_create(&t, NULL, run, NULL);
#endif
	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
#ifdef LAST
	pthread_exit(NULL);
#endif
	return 0;
}

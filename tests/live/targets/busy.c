// SPDX-License-Identifier: GPL-2.0-only
/*
 * busy.c - four threads in probed functions of all kinds, until a line comes on
 * stdin. Says where its text is, so that others can look at it.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "processor.h"
#include "target.h"

long probed_step(long a, long b);
ASM_FUNCTION(probed_step, ASM_ADD);
long probed_push(long a, long b);
ASM_FUNCTION(probed_push, ASM_PUSH);
long probed_ret(long a, long b);
ASM_FUNCTION(probed_ret, ASM_MOVE);

static volatile int enough;
static volatile int sink;

/* Sleeps with return addresses replaced. */
PROBED static long probed_waits(long n)
{
	long r = n;

	if (n)
		r = 1 + probed_waits(n - 1);
	else
		usleep(3000);
	sink++;
	return r;
}

static void *work(void *arg)
{
	long i;

	for (i = 0; !i || !enough; i++) {
		CHECK(probed_step(i, 3) == i + 3);
		CHECK(probed_push(i, 3) == i + 1);
		CHECK(probed_ret(i, 3) == i);
		if (arg && i % 10 == 0)
			CHECK(probed_waits(20) == 20);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[4];
	char line[16];
	long i;

	for (i = 0; i < 4; i++)
		CHECK(!pthread_create(&thread[i], NULL, work,
				      i < 2 ? argv : NULL));
	printf("step %lx push %lx ret %lx waits %lx\n", (long)probed_step,
	       (long)probed_push, (long)probed_ret, (long)probed_waits);
	fflush(stdout);
	if (argc > 1)
		usleep(atoi(argv[1]));
	else
		CHECK(fgets(line, sizeof(line), stdin));
	enough = 1;
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	puts("all right");
	return 0;
}

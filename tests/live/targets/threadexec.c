// SPDX-License-Identifier: GPL-2.0-only
/*
 * threadexec.c - a thread that is not the first one executes a program, while
 * others are in probed functions.
 */
#include <pthread.h>
#include <string.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);

static void *work(void *arg)
{
	for (long i = 0;; i++)
		CHECK(probed_add(i, 1) == i + 1);
	return NULL;
}

static void *execs(void *arg)
{
	usleep(20000);
	execl("/proc/self/exe", "again", "again", NULL);
	CHECK(0);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	if (argc > 1) {
		CHECK(probed_add(40, 2) == 42);
		puts("executed");
		return 3;
	}
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, execs, NULL);
	work(NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * stop.c - SIGSTOP and SIGCONT, from outside, at any moment of a busy program
 * with two threads: all of it stops, all of it goes on.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);

static volatile struct shared {
	long count[2];
	int enough;
} * shared;

static void *work(void *arg)
{
	long me = (long)arg;

	while (!shared->enough)
		CHECK(probed_add(shared->count[me]++, me) ==
		      shared->count[me] - 1 + me);
	return NULL;
}

static long total(void)
{
	return shared->count[0] + shared->count[1];
}

/* Wait until the count rests, or moves; a second at most. */
static int becomes(int moving)
{
	long before;
	int i, j;

	for (i = 0; i < 50; i++) {
		before = total();
		for (j = 0; j < 10 && total() == before; j++)
			usleep(2000);
		if ((total() != before) == moving)
			return 1;
	}
	return 0;
}

static int conduct(pid_t pid)
{
	int i;

	for (i = 0; i < 30; i++) {
		if (!becomes(1) || kill(pid, SIGSTOP) || !becomes(0) ||
		    kill(pid, SIGCONT) || !becomes(1))
			return 1;
		usleep(i * 37);
	}
	shared->enough = 1;
	return 0;
}

int main(void)
{
	pid_t parent = getpid(), child;
	pthread_t thread;
	int status;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(shared != MAP_FAILED);
	child = fork();
	if (!child) {
		status = conduct(parent);
		shared->enough = 1;
		_exit(status);
	}
	CHECK(!pthread_create(&thread, NULL, work, (void *)1));
	work((void *)0);
	pthread_join(thread, NULL);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(status == 0);
	puts("stopped and went on");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * outside.c - SIGTRAP comes from outside, one after the other, at a thread that
 * does nothing but run into probes: none is taken for a breakpoint, and no
 * instruction runs twice or never.
 *
 * What is sent to the process is handled, each time. What is sent to the thread
 * may meet a breakpoint's in its queue, where there is one place for both: it is
 * sent again.
 */
#include <pthread.h>
#include <signal.h>

#include "processor.h"
#include "target.h"

#define CALLS 20000

/* Emulated: of one byte, behind which a thread may be, and of more. */
long probed_push(long a);
ASM_FUNCTION(probed_push, ASM_PUSH);
long probed_jump(long a);
ASM_FUNCTION(probed_jump, ASM_JUMP);
/* Stepped. */
long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);

static _Atomic int killed, queued;
static _Atomic bool done;
static pthread_t runner;

static void on_trap(int sig, siginfo_t *info, void *context)
{
	CHECK(info->si_pid == getpid());
	CHECK(info->si_code == SI_USER || info->si_code == SI_QUEUE);
	if (info->si_code == SI_USER)
		killed++;
	else
		queued = info->si_value.sival_int;
}

/* About ten microseconds: the time of a hit. */
static void pause_for_a_hit(void)
{
	int i;

	for (i = 0; i < 500; i++)
		relax();
}

/* False: not in the time of so many hits. */
static bool becomes(_Atomic int *count, int value, int hits)
{
	while (*count != value && hits--)
		pause_for_a_hit();
	return *count == value;
}

static void *sender(void *unused)
{
	sigset_t set;
	int i;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	CHECK(!pthread_sigmask(SIG_BLOCK, &set, NULL));
	for (i = 1; !done; i++) {
		CHECK(!kill(getpid(), SIGTRAP));
		CHECK(becomes(&killed, i, 3000000));
		do
			CHECK(!pthread_sigqueue(
				runner, SIGTRAP,
				(union sigval){ .sival_int = i }));
		while (!becomes(&queued, i, 1000));
	}
	return NULL;
}

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_trap,
				.sa_flags = SA_SIGINFO };
	pthread_t other;
	long i;

	runner = pthread_self();
	CHECK(!sigaction(SIGTRAP, &sa, NULL));
	CHECK(!pthread_create(&other, NULL, sender, NULL));
	while (!queued)
		usleep(100);
	for (i = 0; i < CALLS; i++) {
		CHECK(probed_push(i) == i + 1);
		CHECK(probed_jump(i) == i + 1);
		CHECK(probed_add(i, 2) == i + 2);
	}
	done = true;
	CHECK(!pthread_join(other, NULL));
	puts("every signal handled");
	return 0;
}

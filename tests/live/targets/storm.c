// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm.c - two threads hammer a stepped probe while signals come from all
 * sides: queued real-time signals to them, counted, and a fast timer to anybody.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "processor.h"
#include "target.h"

#define CALLS (10000 / SLOWER)
#define SIGNALS (1500 / SLOWER) /* to each */

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);

static _Atomic long got[2], ticks, started, done;
static unsigned long interrupted[2][SIGNALS];
static __thread int me = -1;
static pthread_t worker[2];

static void on_signal(int sig, siginfo_t *info, void *context)
{
	if (sig == SIGALRM) {
		ticks++;
		return;
	}
	CHECK(got[me] < SIGNALS);
	interrupted[me][got[me]++] = *context_ip(context);
	CHECK(probed_add(40, 2) == 42);
}

static void *hammer(void *arg)
{
	long i;

	me = (long)arg;
	started++;
	for (i = 0; i < CALLS; i++)
		CHECK(probed_add(i, me) == i + me);
	while (got[me] < SIGNALS)
		usleep(100);
	done++;
	return NULL;
}

static void *sender(void *unused)
{
	int i, w, err;

	while (started < 2)
		usleep(100);
	for (i = 0; i < SIGNALS; i++) {
		for (w = 0; w < 2; w++)
			while ((err = pthread_kill(worker[w], SIGRTMIN)))
				CHECK(err == EAGAIN);
		usleep(100);
	}
	return NULL;
}

static struct range {
	unsigned long start, end;
} named[256];

/* Mappings with a name: files and the vDSO; slots have none. */
static void read_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned int n = 0;
	char line[512];
	int at = 0;

	CHECK(maps);
	while (n < 256 && fgets(line, sizeof(line), maps)) {
		CHECK(sscanf(line, "%lx-%lx %*s %*s %*s %*s %n",
			     &named[n].start, &named[n].end, &at) == 2);
		n += line[at] != '\0' && line[at] != '\n';
	}
	named[n % 256].end = 0;
	fclose(maps);
}

/* No handler may have seen an address anywhere else. */
static bool has_name(unsigned long ip)
{
	struct range *r = named;

	while (r->end && (ip < r->start || ip >= r->end))
		r++;
	return r->end;
}

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_signal,
				.sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGALRM };
	struct itimerspec often = { { 0, 300000 * SLOWER },
				    { 0, 300000 * SLOWER } };
	timer_t timer;
	pthread_t s;
	long i;

	CHECK(!sigaction(SIGRTMIN, &sa, NULL));
	CHECK(!sigaction(SIGALRM, &sa, NULL));
	for (i = 0; i < 2; i++)
		CHECK(!pthread_create(&worker[i], NULL, hammer, (void *)i));
	CHECK(!pthread_create(&s, NULL, sender, NULL));
	CHECK(!timer_create(CLOCK_MONOTONIC, &ev, &timer));
	CHECK(!timer_settime(timer, 0, &often, NULL));
	while (done < 2)
		usleep(1000);
	timer_delete(timer);
	pthread_join(s, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(worker[i], NULL);
	CHECK(got[0] == SIGNALS && got[1] == SIGNALS);
	read_maps();
	for (i = 0; i < 2 * SIGNALS; i++) {
		if (!has_name(interrupted[i % 2][i / 2]))
			fprintf(stderr, "a handler saw %lx\n",
				interrupted[i % 2][i / 2]);
		CHECK(has_name(interrupted[i % 2][i / 2]));
	}
	puts("every signal counted");
	return 0;
}

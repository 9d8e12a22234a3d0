// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - a run that takes too long.
 *
 * A search asks for the time between two runs. A run that does not come to its end is
 * stopped from outside: at its next operation when the budget is spent, or, since code
 * that computes calls nobody, in the middle of that. The latter leaves no engine code
 * half done: a thread that has made no operation for a while is in its own.
 */
#include "engine.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define IDLE_SECONDS 3
/* After the budget: a run that ends by itself counts. Then, how often we look. */
#define GRACE 0.25
#define AGAIN 0.25

static double deadline; /* of CLOCK_MONOTONIC; 0: none */
static timer_t timer;
static pid_t timer_of; /* process; timers are not inherited */

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double now(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

/* Has the running thread made no operation since the last time, *points? */
static bool is_idle(uint64_t *points)
{
	bool idle = engine->cur >= 0 && engine->points == *points;

	*points = engine->points;
	return idle;
}

/* A second of the processor's time has gone by. */
static void on_second(void)
{
	static uint64_t points;
	static int idle;

	if (engine->mode == RUN_SETUP) {
		if (++idle == IDLE_SECONDS)
			runtime_refuse("the scenario's set-up does not end");
		return;
	}
	if (!is_idle(&points)) {
		idle = 0;
	} else if (++idle == IDLE_SECONDS) {
		idle = 0;
		access_forget();
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a thread computes for %d seconds of processor "
			     "time without an access that others could "
			     "see",
			     IDLE_SECONDS);
	}
}

static void on_deadline(void)
{
	static uint64_t points;
	static double since; /* of this process */
	double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

	if (!is_idle(&points) || !engine->late) {
		since = used;
	} else if (used - since > AGAIN) {
		access_forget();
		if (!engine->stop)
			engine->stop = STOP_TIME;
		runtime_park_forever();
	}
	engine->late = true;
}

static void on_tick(int sig, siginfo_t *si, void *context)
{
	(void)sig;
	(void)context;
	if (si->si_code != SI_TIMER)
		on_second();
	else if (deadline)
		on_deadline();
}

/* Seconds and nanoseconds of what is not less than nothing. */
static struct timespec timespec_of(double seconds)
{
	struct timespec t = { .tv_nsec = 1 };

	if (seconds > 0) {
		t.tv_sec = seconds;
		t.tv_nsec = (seconds - t.tv_sec) * 1e9 + 1;
	}
	return t;
}

static void arm(void)
{
	struct sigevent to = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGVTALRM };
	struct itimerspec at = { 0 };

	if (timer_of != getpid() && timer_create(CLOCK_MONOTONIC, &to, &timer))
		abort();
	timer_of = getpid();
	if (deadline)
		at = (struct itimerspec){
			.it_value = timespec_of(deadline + GRACE - now()),
			.it_interval = timespec_of(AGAIN),
		};
	timer_settime(timer, 0, &at, NULL);
}

void clock_budget(double seconds)
{
	deadline = seconds > 0 ? now() + seconds : 0;
	engine->late = false;
	if (deadline || timer_of == getpid())
		arm();
}

void clock_watch(void)
{
	struct itimerval second = { { 1, 0 }, { 1, 0 } };
	struct sigaction sa = { .sa_sigaction = on_tick,
				.sa_flags = SA_SIGINFO | SA_NODEFER |
					    SA_ONSTACK | SA_RESTART };

	sigaction(SIGVTALRM, &sa, NULL);
	setitimer(ITIMER_VIRTUAL, &second, NULL);
	if (deadline)
		arm();
}

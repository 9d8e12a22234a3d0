// SPDX-License-Identifier: GPL-2.0-only
/*
 * late.c - something that one of NT! executions comes to, and the last of them: NT
 * threads stand in a queue, and one order of theirs is special. Then main FAILs; or
 * memory is SHARED that was not, with a thread that was not there; or that is a RACE.
 * LOST: and that it loses an update is wrong. TWICE: it fails in another order, too.
 * LONG: that other order takes many more steps.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NT
#define NT 7
#endif

/* Who stands before i; 0: nobody. */
static int in_last_order(int i)
{
	return i == 1 ? NT : i == 2 ? 0 : i - 1;
}

static int in_late_order(int i)
{
	return i == 1 ? 2 : i == 2 ? 3 : i == 3 ? 0 : i == 4 ? 1 : i - 1;
}

static atomic_int last;
static int before[NT + 1];
static int extra;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
	long me = (long)arg;

	before[me] = atomic_exchange(&last, me);
	return NULL;
}

static void *add(void *by)
{
	if (by)
		pthread_mutex_lock(by);
	extra++;
	if (by)
		pthread_mutex_unlock(by);
	return NULL;
}

static void two(pthread_mutex_t *by)
{
	pthread_t t;

	pthread_create(&t, NULL, add, by);
	add(by);
	pthread_join(t, NULL);
}

static void special(void)
{
#ifdef FAIL
	assert(!"the special order");
#endif
#ifdef SHARED
	two(&lock);
#endif
#ifdef RACE
	two(NULL);
#ifdef LOST
	assert(extra == 2);
#endif
#endif
}

static void many(void)
{
	for (int i = 0; i < 200; i++)
		atomic_fetch_add(&last, 1);
}

int main(void)
{
	pthread_t t[NT];
	int last_order = 1, late_order = 1;

	for (long i = 1; i <= NT; i++)
		pthread_create(&t[i - 1], NULL, run, (void *)i);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	for (int i = 1; i <= NT; i++) {
		last_order &= before[i] == in_last_order(i);
		late_order &= before[i] == in_late_order(i);
	}
#ifdef TWICE
	assert(!late_order);
#endif
#ifdef LONG
	if (late_order)
		many();
#endif
	if (last_order)
		special();
	(void)two, (void)many, (void)late_order;
	return 0;
}

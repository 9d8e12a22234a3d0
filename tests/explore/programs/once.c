// SPDX-License-Identifier: GPL-2.0-only
/* NT threads need a table that the first of them makes: NT! orders. */
#include <assert.h>
#include <pthread.h>

#ifndef NT
#define NT 2
#endif

static int table, made;

static void make(void)
{
	table = 7;
	made++;
}

#ifdef HOME_MADE
static _Atomic int begun;

static void once(void)
{
	if (!begun) {
		begun = 1;
		make();
	}
}
#else
static pthread_once_t control = PTHREAD_ONCE_INIT;

static void once(void)
{
	pthread_once(&control, make);
}
#endif

static void *run(void *arg)
{
	once();
	assert(table == 7);
	return NULL;
}

int main(void)
{
	pthread_t t[NT];

	for (int i = 0; i < NT; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], NULL);
	assert(made == 1);
	return 0;
}

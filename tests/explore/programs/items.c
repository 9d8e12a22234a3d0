// SPDX-License-Identifier: GPL-2.0-only
/* Two threads take an item each that a third makes, and wait for it in a loop. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t more;
static int items;

static void *taker(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef IF
	if (!items)
#else
	while (!items)
#endif
		pthread_cond_wait(&more, &lock);
	items--;
	assert(items >= 0);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_mutex_init(&lock, NULL);
	pthread_cond_init(&more, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, taker, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_mutex_unlock(&lock);
#ifndef SILENT
		pthread_cond_signal(&more);
#endif
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(!items);
	pthread_cond_destroy(&more);
	pthread_mutex_destroy(&lock);
	return 0;
}

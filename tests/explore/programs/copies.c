// SPDX-License-Identifier: GPL-2.0-only
/*
 * A structure of SIZE bytes is copied into shared memory. Who sees the flag sees the
 * copy: two executions. -DUNORDERED: who copies the same structure back and forth
 * without order may see any mixture of its two halves, but nothing else.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SIZE
#define SIZE 8
#endif

static struct block {
	unsigned char byte[SIZE];
} from, to, seen;

static struct halves {
	int a, b;
} x, y;

static atomic_int flag;

#ifdef UNORDERED
static void *writer(void *arg)
{
	struct halves new = { 1, 2 };

	x = new;
	return NULL;
}

static void *reader(void *arg)
{
	y = x;
	assert(y.a == 0 || y.a == 1);
	assert(y.b == 0 || y.b == 2);
	return NULL;
}
#else
static void *writer(void *arg)
{
	for (int i = 0; i < SIZE; i++)
		from.byte[i] = i + 1;
	to = from;
	atomic_store(&flag, 1);
	return NULL;
}

static void *reader(void *arg)
{
	if (!atomic_load(&flag))
		return NULL;
	seen = to;
	for (int i = 0; i < SIZE; i++)
		assert(seen.byte[i] == (unsigned char)(i + 1));
	return NULL;
}
#endif

int main(void)
{
	pthread_t w, r;

	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
#ifdef UNORDERED
	assert(x.a == 1 && x.b == 2);
#else
	for (int i = 0; i < SIZE; i++)
		assert(to.byte[i] == (unsigned char)(i + 1));
#endif
	return 0;
}

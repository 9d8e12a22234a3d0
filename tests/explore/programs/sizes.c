// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses of different sizes to the same bytes: a word written whole and in
 * halves, a structure copied over. Every value read was there.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
	volatile uint64_t whole;
	volatile uint32_t half[2];
} u;

static struct pair {
	int a, b;
} pair;

static atomic_int go;

static void *halves(void *arg)
{
	struct pair p = { 3, 4 };

	u.half[0] = 1;
	u.half[1] = 2;
	pair = p;
	atomic_store(&go, 1);
	return NULL;
}

static void *whole(void *arg)
{
	uint64_t v = u.whole;

	assert(v == 0 || v == 1 || v == (1 | 2ull << 32));
	if (atomic_load(&go)) {
		assert(pair.a == 3 && pair.b == 4);
		assert(u.whole == (1 | 2ull << 32));
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, halves, NULL);
	pthread_create(&b, NULL, whole, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(u.half[1] == 2);
	return 0;
}

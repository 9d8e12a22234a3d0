// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two parts of one word, written by two threads.
 * -DBITS: bit-fields, which share their unit: each is read and written as a whole,
 *	so that one update may be lost (-DLOCK: not under a lock).
 * -DBESIDE: neighbouring members are memory of their own, whatever else copies them
 *	at once: the store buffers' example on them gives what it gives anywhere.
 * -DWIDE: a marked access to all of it meets marked accesses to its halves.
 * -DSTRADDLE: likewise, of a word that is not aligned: refused.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if defined(BITS)
static struct {
	unsigned a : 3, b : 5;
} x;

static void first(void)
{
	x.a = 1;
}

static void second(void)
{
	x.b = 2;
}

static void check(void)
{
	assert(x.a == 1 && x.b == 2);
}
#elif defined(BESIDE)
static struct pair {
	int a, b;
} x, copy;
static int seen[2];

static void first(void)
{
	*(volatile int *)&x.a = 1;
	seen[0] = *(volatile int *)&x.b;
}

static void second(void)
{
	*(volatile int *)&x.b = 1;
	seen[1] = *(volatile int *)&x.a;
}

static void check(void)
{
	copy = x;
	assert(copy.a == 1 && copy.b == 1);
	assert(seen[0] || seen[1]);
}
#elif defined(WIDE)
static union {
	volatile uint64_t whole;
	volatile uint32_t half[2];
} x;

static void first(void)
{
	x.half[0] = 1;
	x.half[1] = 1;
}

static void second(void)
{
	uint64_t v = x.whole;

	assert(v == 0 || v == 1 || v == 0x100000001);
}

static void check(void)
{
	assert(x.whole == 0x100000001);
}
#elif defined(STRADDLE)
static struct {
	char bytes[6];
	volatile uint32_t word;
} __attribute__((packed, aligned(8))) x;

static void first(void)
{
	x.word = 0x01010101;
}

static void second(void)
{
	uint32_t v = x.word;

	assert(v == 0 || v == 0x01010101);
}

static void check(void)
{
	assert(x.word == 0x01010101);
}
#endif

static void *thread(void *arg)
{
#ifdef LOCK
	pthread_mutex_lock(&lock);
#endif
	if (arg)
		first();
	else
		second();
#ifdef LOCK
	pthread_mutex_unlock(&lock);
#endif
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, thread, &a);
	pthread_create(&b, NULL, thread, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	check();
	return 0;
}

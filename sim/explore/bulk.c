// SPDX-License-Identifier: GPL-2.0-only
/*
 * bulk.c - memcpy and its kin: copies, fills and compares any number of bytes.
 *
 * As the compiler's own copies of structures do: piece by piece, plainly, and all is
 * read before any is written.
 */
#include "hook.h"

#include <stdlib.h>

#define CHUNK 8

/* Bytes up to the next multiple of eight, so that pointers stay in one piece. */
static unsigned int step(uintptr_t addr, size_t left)
{
	unsigned int n = CHUNK - (addr & (CHUNK - 1));

	return n < left ? n : left;
}

static void read_bytes(uint8_t *to, const void *from, size_t n, const void *pc)
{
	uintptr_t addr = (uintptr_t)from;
	unsigned int k;

	for (size_t done = 0; done < n; done += k) {
		uint64_t v;

		k = step(addr + done, n - done);
		v = hook_read(addr + done, k, OP_READ | HOOK_PLAIN, pc);
		memcpy(to + done, &v, k);
	}
}

static void write_bytes(void *to, const uint8_t *from, size_t n, const void *pc)
{
	uintptr_t addr = (uintptr_t)to;
	unsigned int k;

	for (size_t done = 0; done < n; done += k) {
		uint64_t v = 0;

		k = step(addr + done, n - done);
		memcpy(&v, from + done, k);
		hook_write(addr + done, k, v, OP_WRITE | HOOK_PLAIN, pc);
	}
}

/* A run may leave in the middle for ever, so a thread keeps its room. */
static uint8_t *room(size_t n)
{
	static struct bytes shared; /* of set-up */
	struct bytes *b = engine->cur < 0 ? &shared
					  : &engine->t[engine->cur].bulk;

	if (b->room < n) {
		free(b->v);
		b->v = malloc(n);
		b->room = n;
		if (!b->v)
			abort();
	}
	return b->v;
}

void hook_copy(void *to, const void *from, size_t n, const void *pc)
{
	uint8_t *bytes = room(n);

	read_bytes(bytes, from, n, pc);
	write_bytes(to, bytes, n, pc);
}

void hook_fill(void *to, int c, size_t n, const void *pc)
{
	uint8_t *bytes = room(n);

	memset(bytes, c, n);
	write_bytes(to, bytes, n, pc);
}

int hook_compare(const void *a, const void *b, size_t n, const void *pc)
{
	uint8_t *bytes = room(2 * n);

	read_bytes(bytes, a, n, pc);
	read_bytes(bytes + n, b, n, pc);
	return memcmp(bytes, bytes + n, n);
}

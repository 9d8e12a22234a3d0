// SPDX-License-Identifier: GPL-2.0-only
/*
 * cover.c - which functions were entered: a pass may mean that nothing happened.
 *
 * A bit per 16 bytes of the program's text, set by the entry callback. Functions
 * are aligned to 16 bytes, so no two share a bit at their beginning.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#define GRAIN 16

extern char __executable_start[], etext[];
void __tsan_func_entry(void *call_site);

static uint64_t *reached;

static size_t words(void)
{
	return (etext - __executable_start) / GRAIN / 64 + 1;
}

static void make_room(void)
{
	if (!reached)
		reached = calloc(words(), sizeof(*reached));
	if (!reached)
		abort();
}

void cover_mark(uintptr_t pc)
{
	size_t i = (pc - (uintptr_t)__executable_start) / GRAIN;

	make_room();
	if (pc < (uintptr_t)etext)
		bit_set(reached, i);
}

void cover_forget(void)
{
	free(reached);
	reached = NULL;
}

bool cover_next(size_t *at, uint64_t *bits)
{
	while (reached && *at < words() && !reached[*at])
		++*at;
	if (!reached || *at >= words())
		return false;
	*bits = reached[*at];
	return true;
}

void cover_add(size_t at, uint64_t bits)
{
	make_room();
	if (at < words())
		reached[at] |= bits;
}

bool explore_reached(uintptr_t low, uintptr_t high)
{
	size_t i = (low - (uintptr_t)__executable_start) / GRAIN;
	size_t end = (high - (uintptr_t)__executable_start + GRAIN - 1) / GRAIN;

	if (!reached || high > (uintptr_t)etext)
		return false;
	for (; i < end; i++)
		if (bit_test(reached, i))
			return true;
	return false;
}

/* The compiler leaves the callback out of what neither calls nor touches memory. */
bool explore_tells_entry(uintptr_t low, uintptr_t high)
{
	for (; low + 5 <= high; low++) {
		const unsigned char *insn = (const void *)low;
		int32_t distance;

		if (*insn != 0xe8) /* call */
			continue;
		memcpy(&distance, insn + 1, sizeof(distance));
		if (low + 5 + distance == (uintptr_t)__tsan_func_entry)
			return true;
	}
	return false;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * knowledge.c - what a search depends on, and executions add to.
 *
 * Whoever follows a part of a search tells by these sums whether another would have
 * followed it in the same way.
 */
#include "search.h"

static uint64_t mix(uint64_t sum, uint64_t more)
{
	return (sum ^ more) * 0x100000001b3ull;
}

uint64_t knowledge_remarks(void)
{
	uint64_t sum = engine->mixed;

	for (int i = 0; i < engine->nr_loc; i++)
		sum = sum * 31 + engine->loc[i].awaited * 2 +
		      engine->loc[i].unchained;
	return sum;
}

uint64_t knowledge(void)
{
	uint64_t sum = 0xcbf29ce484222325ull;

	for (int i = 0; i < engine->nr_loc; i++)
		sum = mix(
			mix(mix(sum, engine->loc[i].addr), engine->loc[i].size),
			engine->loc[i].awaited && engine->loc[i].unchained);
	for (int i = 0; i < engine_threads(); i++)
		for (int k = 0; k < DEFERRED; k++)
			sum = mix(sum, engine->number[i][k]);
	sum = mix(sum, spin_knowledge());
	return mix(sum, memory_knowledge());
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak.c - objects that nothing points to any more when all threads have ended.
 *
 * Conservative: any aligned word that holds an address inside of an object keeps
 * it, tagged pointers included. Roots are the globals and what the set-up allocated,
 * which is the scenario's to keep. Plain programs are looked at if that is asked for:
 * one that ends frees its memory.
 */
#include "ledger.h"

#include "blame.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
	uint32_t round; /* object.reached of what this look has reached */
	int *todo;	/* objects reached, not looked into yet */
	int nr, room;
} leak;

static bool is_alive(const struct object *o)
{
	return !o->freed && o->free_event < 0;
}

static void reach(uintptr_t word)
{
	int o = memory_object(word);

	if (o < 0 || memory_get(o)->reached == leak.round ||
	    !is_alive(memory_get(o)))
		return;
	memory_get(o)->reached = leak.round;
	if (leak.nr == leak.room) {
		leak.room = leak.room ? 2 * leak.room : 64;
		leak.todo = reallocarray(leak.todo, leak.room,
					 sizeof(*leak.todo));
		if (!leak.todo)
			abort();
	}
	leak.todo[leak.nr++] = o;
}

static void reach_from(uintptr_t low, uintptr_t high)
{
	for (low = (low + 7) & ~7ul; low + 8 <= high; low += 8) {
		uintptr_t word = *(uintptr_t *)low;

		if (word) /* most are none */
			reach(word);
	}
}

static void reach_all(void)
{
	uintptr_t low, high;

	leak.round++;
	memory_globals(&low, &high);
	reach_from(low, high);
	reach((uintptr_t)engine->setup_current);
	for (int t = 0; t < engine_threads(); t++)
		reach((uintptr_t)engine->t[t].current);
	for (unsigned int k = 0; k < engine->nr_setup_objects; k++)
		reach(engine->objects[SETUP_HEAP][k].base);
	while (leak.nr) {
		const struct object *o = memory_get(leak.todo[--leak.nr]);

		reach_from(o->base, o->base + o->size);
	}
}

/* Shared memory holds what its last reader saw: let it hold the last write. */
static void settle_memory(void)
{
	struct graph *g = engine->g;
	int16_t list[GRAPH_MAX_EVENTS + 1];

	for (int l = 0; l < engine->nr_loc; l++) {
		const struct location *loc = &engine->loc[l];
		int n = graph_co(g, l, list);

		if (n)
			memory_write(loc->addr, loc->size,
				     graph_value(g, l, loc->size, list[n],
						 memory_initial(l)));
	}
}

static const struct object *find_lost(void)
{
	for (int h = 0; h < engine_threads(); h++) {
		int n = memory_nr_objects(h);

		for (int k = 0; k < n; k++) {
			const struct object *o = &engine->objects[h][k];

			if (is_alive(o) && o->reached != leak.round)
				return o;
		}
	}
	return NULL;
}

bool leak_look(void)
{
	struct explore_result *r = &engine->res;
	const struct object *o;

	if (engine->program && !engine->leaks)
		return false;
	if (engine->mode == RUN_SEARCH)
		settle_memory();
	reach_all();
	o = find_lost();
	if (!o)
		return false;
	engine->stop = STOP_VIOLATION;
	r->finding = FIND_LEAK;
	r->thread = -1;
	r->bad_addr = 0;
	snprintf(r->message, sizeof(r->message),
		 "nothing points to %s any more, and nobody has freed it",
		 names_address(o->base, 0));
	r->file = blame_file(&o->site, &r->line);
	return true;
}

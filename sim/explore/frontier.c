// SPDX-License-Identifier: GPL-2.0-only
/*
 * frontier.c - the graphs that are still to be followed, as a stack; and those
 * that the step under way works on.
 *
 * A graph that has been followed is kept for the next one to be stacked there.
 */
#include "search.h"

#include <errno.h>
#include <stdlib.h>

struct search *search;

int frontier_init(void)
{
	search = calloc(1, sizeof(*search));
	return search ? 0 : -ENOMEM;
}

struct graph *frontier_top(void)
{
	if (search->nr == search->cap) {
		search->cap = search->cap ? 2 * search->cap : 64;
		search->stack = realloc(search->stack,
					search->cap * sizeof(*search->stack));
		if (!search->stack)
			abort();
		search->share = realloc(search->share,
					search->cap * sizeof(*search->share));
		if (!search->share)
			abort();
		memset(search->stack + search->nr, 0,
		       (search->cap - search->nr) * sizeof(*search->stack));
	}
	if (!search->stack[search->nr])
		search->stack[search->nr] = graph_new(engine->cap,
						      engine->nr_loc);
	if (!search->stack[search->nr])
		abort();
	return search->stack[search->nr];
}

void frontier_keep(void)
{
	search->share[search->nr++] = 0; /* until divide_share */
}

void frontier_clear(void)
{
	for (int i = 0; i < search->cap; i++) {
		graph_free(search->stack[i]);
		search->stack[i] = NULL;
	}
	graph_free(search->main);
	graph_free(search->removed);
	graph_free(search->scratch);
	search->nr = 0;
	search->main = graph_new(engine->cap, engine->nr_loc);
	search->removed = graph_new(engine->cap, engine->nr_loc);
	search->scratch = graph_new(engine->cap, engine->nr_loc);
	if (!search->main || !search->removed || !search->scratch)
		abort();
	engine->g = search->main;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph_file.c - a graph on its way to another process that runs the same program.
 */
#include "graph.h"

static bool move(bool out, FILE *f, void *p, size_t size)
{
	return !size || (out ? fwrite(p, size, 1, f) : fread(p, size, 1, f));
}

static bool move_events(bool out, FILE *f, struct graph *g)
{
	size_t rows = (size_t)g->hi * g->words * sizeof(uint64_t);

	return move(out, f, &g->stamp, sizeof(g->stamp)) &&
	       move(out, f, g->last, sizeof(g->last)) &&
	       move(out, f, g->creator, sizeof(g->creator)) &&
	       move(out, f, g->live, g->words * sizeof(uint64_t)) &&
	       move(out, f, g->loc_head, g->nr_loc * sizeof(int16_t)) &&
	       move(out, f, g->ev, g->hi * sizeof(struct event)) &&
	       move(out, f, g->porf, rows) && move(out, f, g->before, rows);
}

bool graph_write(FILE *to, const struct graph *g)
{
	int shape[4] = { g->cap, g->nr_loc, g->hi, g->nr_threads };

	return move(true, to, shape, sizeof(shape)) &&
	       move_events(true, to, (struct graph *)g);
}

struct graph *graph_read(FILE *from)
{
	int shape[4];
	struct graph *g;

	if (!move(false, from, shape, sizeof(shape)))
		return NULL;
	g = graph_new(shape[0], shape[1]);
	if (!g)
		return NULL;
	g->hi = shape[2];
	g->nr_threads = shape[3];
	if (move_events(false, from, g))
		return g;
	graph_free(g);
	return NULL;
}

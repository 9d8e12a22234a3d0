// SPDX-License-Identifier: GPL-2.0-only
/*
 * grace.c - grace periods and sections of a graph, and which of them comes first.
 */
#include "grace.h"

struct grace grace;

/* ---- where a grace period ends --------------------------------------------------------- */

static bool is_look(const struct event *e)
{
	return e->op == OP_RCU_SNAPSHOT || e->op == OP_RCU_WAIT;
}

static bool interrupts(const struct event *e)
{
	return e->op == OP_IRET || e->op == OP_IRQ;
}

bool grace_ends(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];
	int p = e->prev;

	if (e->kind != EV_FENCE || !(e->order & ORDER_MB))
		return false;
	/* an interrupt may have come before the fence */
	while (p >= 0 && interrupts(&g->ev[p]))
		p = g->ev[p].prev;
	return p >= 0 && is_look(&g->ev[p]);
}

int grace_end_of(const struct graph *g, int x)
{
	int end = -1;

	for (int y = g->last[g->ev[x].thread]; y != x; y = g->ev[y].prev)
		if (grace_ends(g, y))
			end = y;
	return end;
}

/* ---- what it has seen ------------------------------------------------------------------- */

/* The wait that look x leads to, if it has been performed. */
static int wait_of(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];
	int wait = -1;

	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];

		if (f->thread == e->thread && f->op == OP_RCU_WAIT &&
		    f->index > e->index && f->rf != RF_WAITING &&
		    (wait < 0 || f->index < g->ev[wait].index))
			wait = y;
	}
	for (int y = g->loc_head[e->loc]; wait >= 0 && y >= 0;
	     y = g->ev[y].link) {
		const struct event *f = &g->ev[y];

		if (f->thread == e->thread && f->op == OP_RCU_SNAPSHOT &&
		    f->index > e->index && f->index < g->ev[wait].index)
			return -1; /* a later grace period's */
	}
	return wait;
}

void grace_looks(const struct graph *g)
{
	int x;

	for_each_bit(x, g->live, g->words) {
		const struct event *e = &g->ev[x];
		int wait;

		if (e->op != OP_RCU_SNAPSHOT)
			continue;
		wait = wait_of(g, x);
		grace.first[x] = graph_rank(g, e->rf);
		grace.last[x] = wait < 0 ? grace.first[x]
					 : graph_rank(g, g->ev[wait].rf);
	}
}

/* ---- what that puts in order -------------------------------------------------------------- */

/* The ends of sections up to place `rank`. */
static int ended(const struct graph *g, int loc, int rank, int16_t *list)
{
	int n = 0;

	for (int y = g->loc_head[loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];

		if (f->op == OP_RCU_UNLOCK && f->kind == EV_WRITE && f->rank &&
		    f->rank <= rank)
			list[n++] = y;
	}
	return n;
}

/* The looks that have not seen write x. */
static int seen_without(const struct graph *g, int x, int16_t *list)
{
	const struct event *e = &g->ev[x];
	int n = 0;

	for (int y = g->loc_head[e->loc]; y >= 0; y = g->ev[y].link) {
		const struct event *f = &g->ev[y];

		if (f->op == OP_RCU_SNAPSHOT && f->rf != RF_WAITING &&
		    graph_rank(g, f->rf) < e->rank)
			list[n++] = y;
	}
	return n;
}

int grace_before(const struct graph *g, int x, int16_t *list)
{
	const struct event *e = &g->ev[x];
	int n = 0;

	if ((e->op == OP_RCU_LOCK || e->op == OP_RCU_UNLOCK) &&
	    e->kind == EV_WRITE)
		return seen_without(g, x, list);
	if (e->op == OP_RCU_WAIT && e->rf != RF_WAITING)
		return ended(g, e->loc, graph_rank(g, e->rf), list);
	if (!grace_ends(g, x))
		return 0;
	for (int y = e->prev; y >= 0 && !grace_ends(g, y); y = g->ev[y].prev)
		if (g->ev[y].op == OP_RCU_SNAPSHOT)
			n += ended(g, g->ev[y].loc, grace.last[y], list + n);
	return n;
}

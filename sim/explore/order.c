// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - which locks are taken while which are held, over all executions.
 *
 * Locks are told apart by address, which is a function of (thread, k-th
 * allocation), and by the type of the object there, since another execution may
 * allocate something else. A lock on a stack is left out: another function's may
 * lie at the same address. Only who waits for a lock adds an edge.
 *
 * Softirqs (timers, callbacks) come to any CPU. So what is taken in softirq is taken
 * while "softirq" is held, and who holds a lock and lets softirqs in takes that: a
 * cycle is a softirq that waits for what it has interrupted, as lockdep has it. Readers
 * do not wait for each other, so there are two of these: ORDER_WRITERS is what readers
 * let in, and what writers are in.
 */
#include "ledger.h"

#include "blame.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>

struct node {
	uintptr_t addr;
	const char *type;
	int from; /* in a search for a path: the edge that led here */
	bool seen;
};

struct edge {
	int held, wanted; /* nodes */
	int thread;
	struct site site; /* where wanted was taken */
	bool cyclic;
};

static struct {
	struct node *node;
	struct edge *edge;
	int nr_nodes, nr_edges, node_room, edge_room;
	bool cyclic;
} order;

void order_forget(void)
{
	order.nr_nodes = order.nr_edges = 0;
	order.cyclic = false;
}

bool order_has_cycle(void)
{
	return order.cyclic;
}

/* ---- the graph ----------------------------------------------------------------- */

static void *room_for_one(void *p, int nr, int *room, size_t size)
{
	if (nr < *room)
		return p;
	*room = *room ? 2 * *room : 32;
	p = reallocarray(p, *room, size);
	if (!p)
		abort();
	return p;
}

static const char *type_at(uintptr_t addr)
{
	int o = memory_object(addr);

	return o < 0 ? NULL : memory_get(o)->type;
}

static int node_of(uintptr_t addr, const char *type)
{
	for (int i = 0; i < order.nr_nodes; i++)
		if (order.node[i].addr == addr && order.node[i].type == type)
			return i;
	order.node = room_for_one(order.node, order.nr_nodes, &order.node_room,
				  sizeof(*order.node));
	order.node[order.nr_nodes] = (struct node){ .addr = addr,
						    .type = type };
	return order.nr_nodes++;
}

static struct edge *find_edge(int held, int wanted)
{
	for (int i = 0; i < order.nr_edges; i++)
		if (order.edge[i].held == held &&
		    order.edge[i].wanted == wanted)
			return &order.edge[i];
	return NULL;
}

static bool visit(int from, int to)
{
	order.node[from].seen = true;
	for (int i = 0; i < order.nr_edges; i++) {
		int next = order.edge[i].wanted;

		if (order.edge[i].held != from || order.node[next].seen)
			continue;
		order.node[next].from = i;
		if (next == to || visit(next, to))
			return true;
	}
	return false;
}

/* A path, to be followed backwards from `to` by node.from. */
static bool find_path(int from, int to)
{
	for (int i = 0; i < order.nr_nodes; i++)
		order.node[i].seen = false;
	return visit(from, to);
}

static bool on_a_stack(uintptr_t addr)
{
	for (int t = 0; t < engine_threads(); t++)
		if (memory_on_stack(addr, t))
			return true;
	return false;
}

bool order_put(const struct lock_order *o)
{
	int h = node_of(o->held, o->held_type);
	int w = node_of(o->wanted, o->wanted_type);
	struct edge *e = find_edge(h, w);

	if (e)
		return e->cyclic;
	order.edge = room_for_one(order.edge, order.nr_edges, &order.edge_room,
				  sizeof(*order.edge));
	e = &order.edge[order.nr_edges++];
	*e = (struct edge){ h, w, o->thread, o->site, false };
	if (!find_path(w, h))
		return false;
	order.cyclic = e->cyclic = true;
	for (int n = h; n != w; n = order.edge[order.node[n].from].held)
		order.edge[order.node[n].from].cyclic = true;
	return true;
}

bool order_get(int k, struct lock_order *out)
{
	const struct edge *e = &order.edge[k];
	const struct node *held, *wanted;

	if (k >= order.nr_edges)
		return false;
	held = &order.node[e->held];
	wanted = &order.node[e->wanted];
	*out = (struct lock_order){ held->addr,	  wanted->addr, held->type,
				    wanted->type, e->thread,	e->site };
	return true;
}

static bool is_softirq(uintptr_t addr)
{
	return addr == ORDER_SOFTIRQ || addr == ORDER_WRITERS;
}

bool order_add(uintptr_t held, uintptr_t wanted, const void *pc)
{
	struct lock_order o = { .held = held,
				.wanted = wanted,
				.thread = engine->cur };

	if (held == wanted || on_a_stack(held) || on_a_stack(wanted))
		return false;
	o.held_type = type_at(held);
	o.wanted_type = type_at(wanted);
	o.site = blame_site(pc);
	return order_put(&o);
}

/* ---- words --------------------------------------------------------------------- */

void order_say(FILE *to, int thread, uintptr_t held, uintptr_t wanted)
{
	fprintf(to, "%s ", explore_thread_name(thread));
	if (is_softirq(wanted))
		fprintf(to, "lets softirqs in while it holds %s",
			names_address(held, 0));
	else if (is_softirq(held))
		fprintf(to, "takes %s in softirq", names_address(wanted, 0));
	else
		fprintf(to, "takes %s while it holds %s",
			names_address(wanted, 0), names_address(held, 0));
}

void order_explain(FILE *to, uintptr_t held, uintptr_t wanted)
{
	int h = node_of(held, type_at(held));
	int w = node_of(wanted, type_at(wanted));

	if (!find_path(w, h))
		return;
	for (int n = h; n != w;) {
		const struct edge *e = &order.edge[order.node[n].from];

		fputs("; ", to);
		order_say(to, e->thread, order.node[e->held].addr,
			  order.node[e->wanted].addr);
		blame_place(to, " at", &e->site);
		n = e->held;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * depend.c - which accesses go through a pointer that rcu_dereference gave.
 *
 * Instrumented code does not say where an address comes from. So an access is taken to
 * depend on the latest such read of its thread that gave a pointer into the object it
 * goes to. That read may also be one of a pointer in an object that was reached so: a
 * published object may hold pointers to others. Whoever knows where addresses come from
 * (the interpreter of litmus tests) says so instead.
 *
 * Only linux-kernel.cat asks; there the read comes before the access (addr).
 */
#include "engine.h"

#include "debuginfo.h"

#include <dwarf.h>
#include <stdlib.h>

/* Bytes that a thread has a pointer to, and the index of the read that gave it. */
struct reach {
	uintptr_t low, high;
	int index;
};

/* An element, if it is of an array: a pointer to one does not lead to the others. */
static bool global_at(uintptr_t addr, struct reach *to)
{
	struct debuginfo_global g;
	Dwarf_Die element;
	size_t size;

	if (!memory_is_global(addr) || !debuginfo_global(addr, &g))
		return false;
	to->low = g.base;
	to->high = g.base + g.size;
	if (dwarf_tag(&g.type) != DW_TAG_array_type ||
	    !debuginfo_type_of(&g.type, &element))
		return true;
	size = debuginfo_size(&element);
	if (!size)
		return false;
	to->low = addr - (addr - g.base) % size;
	to->high = to->low + size;
	return true;
}

static bool object_at(uintptr_t addr, struct reach *to)
{
	int o = memory_object(addr);

	if (o < 0)
		return global_at(addr, to);
	to->low = memory_get(o)->base;
	to->high = to->low + memory_get(o)->size;
	return true;
}

static bool leads_on(const struct event *e)
{
	return e->kind == EV_READ && ((e->order & ORDER_ADDRESS) || e->through);
}

/* One entry for each object, the latest read last. */
static void put(struct thread *t, const struct reach *r)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->nr_reach; i++)
		if (t->reach[i].low != r->low)
			t->reach[n++] = t->reach[i];
	if (n == t->reach_room) {
		t->reach_room = n ? 2 * n : 8;
		t->reach = reallocarray(t->reach, t->reach_room,
					sizeof(*t->reach));
		if (!t->reach)
			abort();
	}
	t->reach[n] = *r;
	t->nr_reach = n + 1;
}

void depend_read(const struct request *q, uint64_t value)
{
	struct thread *t = &engine->t[engine->cur];
	struct reach r = { .index = t->idx - 1 };

	if (engine->model != GRAPH_LKMM || engine->mode != RUN_SEARCH)
		return;
	t->gave = leads_on(&q->ev) ? t->idx : 0;
	if (t->gave && q->ev.size == sizeof(uintptr_t) && object_at(value, &r))
		put(t, &r);
}

int depend_address(uintptr_t addr)
{
	struct thread *t = &engine->t[engine->cur];

	for (unsigned int i = t->nr_reach; i > 0; i--)
		if (addr >= t->reach[i - 1].low && addr < t->reach[i - 1].high)
			return t->reach[i - 1].index + 1;
	return t->through;
}

int depend_last(void)
{
	return engine->t[engine->cur].gave;
}

void depend_tell(int through)
{
	engine->t[engine->cur].through = through;
}

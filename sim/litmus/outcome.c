// SPDX-License-Identifier: GPL-2.0-only
/*
 * outcome.c - final states of a litmus test, each once, with how often.
 */
#include "outcome.h"

#include <stdlib.h>
#include <string.h>

int32_t outcome_item(const struct final *f, struct litmus_item item)
{
	return item.thread < 0 ? f->loc[item.index]
			       : f->reg[item.thread][item.index];
}

bool outcome_satisfies(const struct final *f, const struct litmus_prop *p)
{
	switch (p->kind) {
	case PROP_TRUE:
		return true;
	case PROP_FALSE:
		return false;
	case PROP_EQUAL:
		return outcome_item(f, p->item) == p->value;
	case PROP_DIFFERENT:
		return outcome_item(f, p->item) != p->value;
	case PROP_NOT:
		return !outcome_satisfies(f, p->left);
	case PROP_AND:
		return outcome_satisfies(f, p->left) &&
		       outcome_satisfies(f, p->right);
	case PROP_OR:
		return outcome_satisfies(f, p->left) ||
		       outcome_satisfies(f, p->right);
	}
	return false;
}

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	return p;
}

int32_t *outcome_values(const struct litmus *t)
{
	return zeroed(t->nr_items, sizeof(int32_t));
}

const struct litmus_expr **outcome_waits(const struct litmus *t)
{
	return zeroed(t->nr_threads, sizeof(struct litmus_expr *));
}

/* Those that ended first, then by value; a place in the text orders waits. */
static int compare(const struct litmus *t, const struct outcome *a,
		   const struct outcome *b)
{
	if (!a->waits != !b->waits)
		return a->waits ? 1 : -1;
	for (int i = 0; i < t->nr_items; i++)
		if (a->value[i] != b->value[i])
			return a->value[i] < b->value[i] ? -1 : 1;
	for (int n = 0; a->waits && n < t->nr_threads; n++) {
		unsigned int x = a->waits[n] ? a->waits[n]->at : 0;
		unsigned int y = b->waits[n] ? b->waits[n]->at : 0;

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static void release(struct outcome *o)
{
	free(o->value);
	free(o->waits);
}

void outcomes_add(struct outcomes *all, const struct litmus *t,
		  struct outcome *o)
{
	size_t lo = 0, hi = all->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int c = compare(t, &all->list[mid], o);

		if (!c) {
			all->list[mid].count++;
			release(o);
			return;
		}
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (all->nr == all->room) {
		all->room = all->room ? 2 * all->room : 16;
		all->list = realloc(all->list, all->room * sizeof(*all->list));
		if (!all->list)
			abort();
	}
	memmove(&all->list[lo + 1], &all->list[lo],
		(all->nr - lo) * sizeof(*all->list));
	all->list[lo] = *o;
	all->list[lo].count = 1;
	all->nr++;
}

void outcomes_clear(struct outcomes *all)
{
	for (size_t i = 0; i < all->nr; i++)
		release(&all->list[i]);
	free(all->list);
	memset(all, 0, sizeof(*all));
}

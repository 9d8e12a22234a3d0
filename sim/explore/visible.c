// SPDX-License-Identifier: GPL-2.0-only
/*
 * visible.c - which steps of a run tell its story.
 *
 * What only one thread touches, and what nobody writes while the threads run,
 * cannot explain a race; nor can what the failed step does not depend on
 * (slice.c). Such steps are left out.
 */
#include "columns.h"

#include "explore.h"
#include "slice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Who touches which bytes; sorted by the first byte for the sweep. */
struct span {
	uintptr_t from, to;
	size_t step;
};

static struct span span_of(const struct explore_step *s, size_t index)
{
	return (struct span){ s->addr, s->addr + (s->size ? s->size : 1),
			      index };
}

static int by_address(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

/* spans[0..n) form one connected stretch of memory. */
static void show_shared(const struct explore_result *r,
			const struct span *spans, size_t n, bool *show)
{
	bool written = false, shared = false;

	for (size_t i = 0; i < n; i++) {
		const struct explore_step *s = &r->steps[spans[i].step];

		written |= s->wrote;
		shared |= s->thread != r->steps[spans[0].step].thread;
	}
	for (size_t i = 0; written && shared && i < n; i++)
		show[spans[i].step] = true;
}

static void sweep(const struct explore_result *r, struct span *spans, size_t n,
		  bool *show)
{
	size_t first = 0;
	uintptr_t end = 0;

	qsort(spans, n, sizeof(*spans), by_address);
	for (size_t i = 0; i < n; i++) {
		if (i > first && spans[i].from >= end) {
			show_shared(r, spans + first, i - first, show);
			first = i;
		}
		if (i == first || spans[i].to > end)
			end = spans[i].to;
	}
	if (n)
		show_shared(r, spans + first, n - first, show);
}

size_t columns_number(const struct explore_result *r, unsigned int *number)
{
	size_t n = 0, shown = 0, failed = slice_failed(r);
	struct span *spans = calloc(r->nr_steps + 1, sizeof(*spans));
	bool *show = calloc(r->nr_steps + 1, sizeof(*show));
	bool *needed = calloc(r->nr_steps + 1, sizeof(*needed));

	if (!spans || !show || !needed)
		abort();
	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];

		if (s->addr && s->op != OP_CALL && s->op != OP_FREE)
			spans[n++] = span_of(s, i);
		else
			show[i] = s->op != OP_END && s->op != OP_CALL &&
				  ((s->op != OP_ALLOC && s->op != OP_WAKEUP) ||
				   s->val);
		show[i] |= s->blocked || i == failed;
	}
	sweep(r, spans, n, show);
	if (failed < r->nr_steps)
		slice_needed(r, true, needed);
	for (size_t i = 0; i < r->nr_steps; i++) {
		bool hidden = failed < r->nr_steps && !needed[i];

		number[i] = show[i] && !hidden ? ++shown : 0;
	}
	free(spans);
	free(show);
	free(needed);
	return shown;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * visible.c - which steps of a run tell its story.
 *
 * What only one thread touches, and what nobody writes while the threads run,
 * cannot explain a race; nor can what the failed step does not depend on, by
 * program order and by who read whose value. Such steps are left out.
 */
#include "columns.h"

#include "explore.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Who touches which bytes; sorted by the first byte for the sweep. */
struct span {
	uintptr_t from, to;
	size_t step;
};

static struct span span_of(const struct explore_step *s, size_t index)
{
	struct explore_object o;

	if (s->op == OP_FREE && explore_find_object(s->addr, &o))
		return (struct span){ o.base, o.base + o.size, index };
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

static bool writes(const struct explore_step *s)
{
	return s->wrote || s->op == OP_FREE || s->op == OP_WRITE;
}

/* spans[0..n) form one connected stretch of memory. */
static void show_shared(const struct explore_result *r,
			const struct span *spans, size_t n, bool *show)
{
	bool written = false, shared = false;

	for (size_t i = 0; i < n; i++) {
		const struct explore_step *s = &r->steps[spans[i].step];

		written |= writes(s);
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

size_t columns_failed(const struct explore_result *r)
{
	if (r->finding == FIND_NONE || r->finding == FIND_DEADLOCK ||
	    r->thread < 0)
		return r->nr_steps;
	for (size_t i = r->nr_steps; i--;) {
		if (r->steps[i].thread == r->thread && r->steps[i].op != OP_END)
			return i;
	}
	return r->nr_steps;
}

size_t columns_freed(const struct explore_result *r, size_t at)
{
	struct explore_object o;
	bool known = explore_find_object(r->bad_addr, &o);

	for (size_t i = at; r->bad_addr && i--;) {
		const struct explore_step *s = &r->steps[i];

		if (s->op == OP_FREE &&
		    (s->addr == r->bad_addr || (known && s->addr == o.base)))
			return i;
	}
	return r->nr_steps;
}

/* Newest write to eight aligned bytes. */
struct writer {
	uintptr_t word;
	size_t step;
	UT_hash_handle hh;
};

/* source[i]: the step whose value step i read, or nr_steps. */
static void find_sources(const struct explore_result *r, size_t *source)
{
	struct writer *all = NULL, *w, *next;

	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];
		uintptr_t word = s->addr / 8;

		source[i] = r->nr_steps;
		if (!s->addr)
			continue;
		HASH_FIND(hh, all, &word, sizeof(word), w);
		if (w)
			source[i] = w->step;
		if (!writes(s) || s->op == OP_FREE)
			continue;
		if (!w) {
			w = calloc(1, sizeof(*w));
			if (!w)
				abort();
			w->word = word;
			HASH_ADD(hh, all, word, sizeof(word), w);
		}
		w->step = i;
	}
	HASH_ITER(hh, all, w, next) {
		HASH_DEL(all, w);
		free(w);
	}
}

/* last[t]: of thread t, steps below it matter. */
static void need(const struct explore_result *r, size_t *last, size_t step)
{
	int t = r->steps[step].thread;

	if (last[t] < step + 1)
		last[t] = step + 1;
}

static void need_all_of(const struct explore_result *r, size_t *last,
			int thread, size_t before)
{
	while (before--) {
		if (r->steps[before].thread == thread) {
			need(r, last, before);
			return;
		}
	}
}

/* Hide what the failed step does not depend on. */
static void slice(const struct explore_result *r, size_t failed, bool *show)
{
	size_t *source = calloc(r->nr_steps, sizeof(*source));
	size_t *last = calloc(explore_nr_threads(), sizeof(*last));
	size_t freed = columns_freed(r, failed);

	if (!source || !last)
		abort();
	find_sources(r, source);
	need(r, last, failed);
	if (freed < r->nr_steps)
		need(r, last, freed);
	for (size_t i = r->nr_steps; i--;) {
		const struct explore_step *s = &r->steps[i];

		if (s->op == OP_CREATE && last[s->peer])
			need(r, last, i);
		if (i >= last[s->thread]) {
			show[i] = false;
			continue;
		}
		if (s->op == OP_JOIN)
			need_all_of(r, last, s->peer, i);
		if (source[i] < r->nr_steps && s->op != OP_WRITE)
			need(r, last, source[i]);
	}
	free(source);
	free(last);
}

size_t columns_number(const struct explore_result *r, unsigned int *number)
{
	size_t n = 0, shown = 0, failed = columns_failed(r);
	struct span *spans = calloc(r->nr_steps + 1, sizeof(*spans));
	bool *show = calloc(r->nr_steps + 1, sizeof(*show));

	if (!spans || !show)
		abort();
	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];

		if (s->addr && s->op != OP_CALL)
			spans[n++] = span_of(s, i);
		else
			show[i] = s->op != OP_END && s->op != OP_CALL;
		show[i] |= s->blocked || i == failed;
	}
	sweep(r, spans, n, show);
	if (failed < r->nr_steps)
		slice(r, failed, show);
	for (size_t i = 0; i < r->nr_steps; i++)
		number[i] = show[i] ? ++shown : 0;
	free(spans);
	free(show);
	return shown;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * slice.c - what a failed step depends on: everything before it in its thread,
 * who wrote the values read there, and so on backwards.
 */
#include "slice.h"

#include "explore.h"

#include <stdlib.h>
#include <uthash.h>

size_t slice_failed(const struct explore_result *r)
{
	if (r->finding == FIND_NONE || explore_is_stuck(r->finding) ||
	    r->thread < 0)
		return r->nr_steps;
	for (size_t i = r->nr_steps; i--;) {
		if (r->steps[i].thread == r->thread && r->steps[i].op != OP_END)
			return i;
	}
	return r->nr_steps;
}

size_t slice_freed(const struct explore_result *r, size_t at)
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
		if (!s->wrote)
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

void slice_needed(const struct explore_result *r, bool overwritten,
		  bool *needed)
{
	size_t *source = calloc(r->nr_steps + 1, sizeof(*source));
	size_t *last = calloc(explore_nr_threads(), sizeof(*last));
	size_t failed = slice_failed(r), freed = slice_freed(r, failed);

	if (!source || !last)
		abort();
	find_sources(r, source);
	if (failed < r->nr_steps)
		need(r, last, failed);
	if (freed < r->nr_steps)
		need(r, last, freed);
	for (size_t i = r->nr_steps; i--;) {
		const struct explore_step *s = &r->steps[i];

		if (s->op == OP_CREATE && last[s->peer])
			need(r, last, i);
		needed[i] = i < last[s->thread];
		if (!needed[i])
			continue;
		if (s->op == OP_JOIN)
			need_all_of(r, last, s->peer, i);
		if (source[i] < r->nr_steps && s->size &&
		    (s->op != OP_WRITE || overwritten))
			need(r, last, source[i]);
	}
	free(source);
	free(last);
}

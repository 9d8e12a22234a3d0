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

/* newest[i]: the newest write, before step i, to what that is about, or nr_steps. */
static void find_newest(const struct explore_result *r, size_t *newest)
{
	struct writer *all = NULL, *w, *next;

	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];
		uintptr_t word = s->addr / 8;

		newest[i] = r->nr_steps;
		if (!s->addr)
			continue;
		HASH_FIND(hh, all, &word, sizeof(word), w);
		if (w)
			newest[i] = w->step;
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

size_t slice_source(const struct explore_result *r, size_t step, size_t newest)
{
	int source = r->steps[step].source;

	return !source ? newest : source < 0 ? r->nr_steps : (size_t)source - 1;
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

/* The engine's last run may have been another, with fewer. */
static int nr_threads(const struct explore_result *r)
{
	int n = 1;

	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];

		if (s->thread >= n)
			n = s->thread + 1;
		if ((s->op == OP_CREATE || s->op == OP_JOIN ||
		     s->op == OP_IRQ || s->op == OP_IRET) &&
		    s->peer >= n)
			n = s->peer + 1;
	}
	return n;
}

void slice_needed(const struct explore_result *r, bool overwritten,
		  bool *needed)
{
	size_t *newest = calloc(r->nr_steps + 1, sizeof(*newest));
	size_t *last = calloc(nr_threads(r), sizeof(*last));
	size_t failed = slice_failed(r), freed = slice_freed(r, failed);

	if (!newest || !last)
		abort();
	find_newest(r, newest);
	if (failed < r->nr_steps)
		need(r, last, failed);
	if (freed < r->nr_steps)
		need(r, last, freed);
	for (size_t i = r->nr_steps; i--;) {
		const struct explore_step *s = &r->steps[i];
		size_t source;

		if (s->op == OP_CREATE && last[s->peer])
			need(r, last, i);
		needed[i] = i < last[s->thread];
		if (!needed[i])
			continue;
		if (s->op == OP_JOIN || s->op == OP_IRET || s->op == OP_IRQ)
			need_all_of(r, last, s->peer, i);
		if (!s->size || (s->op == OP_WRITE && !overwritten))
			continue;
		source = slice_source(r, i, newest[i]);
		if (source < r->nr_steps)
			need(r, last, source);
		/* what a read does not see is as much a part of the story */
		if (s->source && newest[i] < r->nr_steps)
			need(r, last, newest[i]);
	}
	free(newest);
	free(last);
}

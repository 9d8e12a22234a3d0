// SPDX-License-Identifier: GPL-2.0-only
/*
 * weak.c - see weak.h.
 *
 * The steps of a search follow each other so that each comes after what it reads
 * from. Where a read does not read the latest write, or a write is not the latest,
 * the step says so, and so does a line, with the numbers that it has in the run.
 */
#include "weak.h"

#include "explore.h"
#include "names.h"
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

struct weak_read {
	const char *object;
	unsigned int count;
};

void weak_begin(struct weak *w)
{
	sched_drop_body(w->sched);
	w->nr = 0;
	w->plain.object = NULL;
	w->from = w->place = -1;
	w->error = false;
}

void weak_free(struct weak *w)
{
	free(w->read);
}

static bool overlap(const struct explore_step *a, const struct explore_step *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/*
 * A run in another process may know less of what is shared: it finds out again. What
 * two threads touch in this very execution, one of them writing, it is sure to know.
 */
bool weak_is_sure(const struct explore_result *r, size_t i)
{
	const struct explore_step *s = &r->steps[i];
	bool shared = false, written = s->wrote;

	if (!s->addr || s->blocked)
		return true;
	for (size_t k = 0; k < r->nr_steps; k++) {
		const struct explore_step *o = &r->steps[k];

		if (!o->addr || !overlap(s, o))
			continue;
		shared |= o->thread != s->thread;
		written |= o->wrote;
	}
	return shared && written;
}

static bool same_object(const struct explore_step *a,
			const struct explore_step *b)
{
	return a->addr == b->addr && a->size == b->size;
}

/* Writes of the object of step i up to there, by its thread. */
static unsigned int write_number(const struct explore_result *r, size_t i)
{
	unsigned int n = 0;

	for (size_t k = 0; k <= i; k++)
		n += r->steps[k].wrote &&
		     r->steps[k].thread == r->steps[i].thread &&
		     same_object(&r->steps[k], &r->steps[i]);
	return n;
}

/* Where in co is what step i of r writes? It is of the bytes of `step`, or -1. */
static int find_write(const struct weak *w, size_t i,
		      const struct explore_step *step,
		      const struct explore_write *co, int n)
{
	const struct explore_step *s = &w->r->steps[i];
	unsigned int count = write_number(w->r, i);

	for (int k = 1; k <= n && same_object(s, step); k++) {
		if (co[k].thread == s->thread && co[k].count == count &&
		    co[k].addr == s->addr && co[k].size == s->size)
			return k;
	}
	return -1;
}

int weak_source(struct weak *w, const struct explore_step *recorded,
		const struct explore_step *step, const struct explore_write *co,
		int n)
{
	int source = recorded ? recorded->source : 0;

	w->co = co;
	w->last = n;
	w->from = !source      ? n
		  : source < 0 ? 0
			       : find_write(w, source - 1, step, co, n);
	return w->from;
}

int weak_place(struct weak *w, const struct explore_step *recorded,
	       const struct explore_step *step, const struct explore_write *co,
	       int n)
{
	int before = recorded ? recorded->before : 0, k;

	k = before ? find_write(w, before - 1, step, co, n) : n + 1;
	w->co = co;
	w->last = n;
	w->place = k > 0 ? k - 1 : -1;
	return w->place;
}

/* How many reads of it there were, with this one. */
static unsigned int count_read(struct weak *w, const char *object)
{
	for (size_t i = 0; i < w->nr; i++) {
		if (!strcmp(w->read[i].object, object))
			return ++w->read[i].count;
	}
	w->read = reallocarray(w->read, w->nr + 1, sizeof(*w->read));
	if (!w->read)
		abort();
	w->read[w->nr++] = (struct weak_read){ object, 1 };
	return 1;
}

static void tell_read(struct weak *w, const char *object, unsigned int count)
{
	const struct explore_write *from = &w->co[w->from];

	if (!sched_add_read(w->sched, object, count,
			    w->from ? explore_thread_name(from->thread) : NULL,
			    w->from ? from->count : 0))
		w->error = true;
}

/* Among the writes of its thread it is the next. */
static void tell_place(struct weak *w, const struct explore_step *step,
		       const char *object)
{
	const struct explore_write *next = &w->co[w->place + 1];
	unsigned int count = 1;

	for (int k = 1; k <= w->last; k++)
		count += w->co[k].thread == step->thread &&
			 w->co[k].addr == step->addr &&
			 w->co[k].size == step->size;
	if (!sched_add_order(w->sched, object,
			     explore_thread_name(step->thread), count,
			     explore_thread_name(next->thread), next->count))
		w->error = true;
}

/* A line that says no more than what happens anyway, if one is needed. */
static void note_read(struct weak *w, const char *object, unsigned int count,
		      const struct explore_step *step)
{
	const struct explore_write *from = &w->co[w->from];

	if (w->from && (from->addr != step->addr || from->size != step->size))
		return;
	w->plain = (struct weak_line){ object, count,
				       w->from ? from->thread : -1,
				       w->from ? from->count : 0 };
}

void weak_performed(struct weak *w, const struct explore_step *step)
{
	const char *object = names_operand(step);
	unsigned int count;

	if (!object)
		return;
	if (step->reads) {
		count = count_read(w, object);
		if (w->from < w->last)
			tell_read(w, object, count);
		else
			note_read(w, object, count, step);
	} else if (step->wrote && w->place < w->last) {
		tell_place(w, step, object);
	}
}

void weak_end(struct weak *w)
{
	const struct weak_line *l = &w->plain;

	if (w->sched->nr_reads || w->sched->nr_orders || !l->object)
		return;
	if (!sched_add_read(w->sched, l->object, l->count,
			    l->thread < 0 ? NULL
					  : explore_thread_name(l->thread),
			    l->write))
		w->error = true;
}

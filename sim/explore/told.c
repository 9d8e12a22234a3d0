// SPDX-License-Identifier: GPL-2.0-only
/*
 * told.c - what the lines of a schedule tell of weaker memory, and whether they apply.
 */
#include "told.h"

#include "names.h"
#include "schedule.h"
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The first that is wrong counts. */
__attribute__((format(printf, 3, 4))) static void wrong(struct told *t,
							unsigned int line,
							const char *fmt, ...)
{
	va_list ap;

	if (t->error)
		return;
	va_start(ap, fmt);
	t->error = text_vprint(fmt, ap);
	va_end(ap);
	t->error_line = line;
}

void told_init(struct told *t, const struct sched *s)
{
	*t = (struct told){ .sched = s };
	t->reads = calloc(s->nr_reads + 1, sizeof(*t->reads));
	t->read = calloc(s->nr_reads + 1, sizeof(*t->read));
	if (!t->reads || !t->read)
		abort();
}

void told_begin(struct told *t)
{
	memset(t->reads, 0, t->sched->nr_reads * sizeof(*t->reads));
	memset(t->read, 0, t->sched->nr_reads * sizeof(*t->read));
}

void told_free(struct told *t)
{
	free(t->reads);
	free(t->read);
	free(t->error);
}

/* Which of co is write number `count` of the thread to what step is about? */
static int find_write(const struct explore_step *step,
		      const struct explore_write *co, int n, const char *thread,
		      unsigned int count)
{
	for (int k = 1; k <= n; k++) {
		if (co[k].count == count && co[k].addr == step->addr &&
		    co[k].size == step->size &&
		    !strcmp(explore_thread_name(co[k].thread), thread))
			return k;
	}
	return -1;
}

int told_source(struct told *t, const struct explore_step *step,
		const struct explore_write *co, int n)
{
	const char *operand = names_operand(step);

	t->line = 0;
	for (size_t i = 0; i < t->sched->nr_reads; i++) {
		const struct sched_read *r = &t->sched->read[i];

		if (!operand || strcmp(operand, r->object) ||
		    t->reads[i] + 1 != r->count)
			continue;
		t->line = r->line;
		return r->thread ? find_write(step, co, n, r->thread, r->write)
				 : 0;
	}
	return n;
}

/* Is it the write that the thread's count and the object of a line name? */
static bool is_write(const struct explore_step *step, unsigned int count,
		     const struct sched_order *o, int side)
{
	const char *operand = names_operand(step);

	return operand && !strcmp(operand, o->object) &&
	       count == o->write[side] &&
	       !strcmp(explore_thread_name(step->thread), o->thread[side]);
}

/* A line has this write behind another: that is not so if it comes after co[at]. */
static void check_behind(struct told *t, const struct explore_step *step,
			 unsigned int count, const struct explore_write *co,
			 int n, int at)
{
	for (size_t i = 0; i < t->sched->nr_orders; i++) {
		const struct sched_order *o = &t->sched->order[i];

		if (is_write(step, count, o, 1) &&
		    find_write(step, co, n, o->thread[0], o->write[0]) > at) {
			wrong(t, o->line,
			      "another line has %s's write #%u before %s's "
			      "#%u",
			      o->thread[1], o->write[1], o->thread[0],
			      o->write[0]);
			return;
		}
	}
}

int told_place(struct told *t, const struct explore_step *step,
	       const struct explore_write *co, int n)
{
	unsigned int count = 1;
	int at = n;

	for (int k = 1; k <= n; k++)
		count += co[k].thread == step->thread &&
			 co[k].addr == step->addr && co[k].size == step->size;
	t->line = 0;
	for (size_t i = 0; i < t->sched->nr_orders; i++) {
		const struct sched_order *o = &t->sched->order[i];
		int k;

		if (!is_write(step, count, o, 0))
			continue;
		k = find_write(step, co, n, o->thread[1], o->write[1]);
		if (k < 1 || k > at)
			continue; /* it comes later, so behind it */
		t->line = o->line;
		at = k - 1;
	}
	check_behind(t, step, count, co, n, at);
	return at;
}

void told_performed(struct told *t, const struct explore_step *step)
{
	const char *operand = names_operand(step);
	bool said = false;

	for (size_t i = 0; i < t->sched->nr_reads && step->reads; i++) {
		const struct sched_read *r = &t->sched->read[i];

		if (!operand || strcmp(operand, r->object) ||
		    ++t->reads[i] != r->count)
			continue;
		t->read[i] = !said;
		said = true;
	}
}

/* ---- when the run is over ------------------------------------------------------ */

static void check_reads(struct told *t)
{
	for (size_t i = 0; i < t->sched->nr_reads && !t->error; i++) {
		const struct sched_read *r = &t->sched->read[i];

		if (!t->read[i])
			wrong(t, r->line,
			      t->reads[i] < r->count
				      ? "there was no read #%u of %s"
				      : "another line tells of read #%u of "
					"%s",
			      r->count, r->object);
	}
}

/* The step that is the write on one side of a line, or NULL. */
static const struct explore_step *performed_write(
	const struct explore_result *r, const struct sched_order *o, int side)
{
	unsigned int count = 0;

	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *step = &r->steps[i];

		if (step->wrote && is_write(step, o->write[side], o, side) &&
		    ++count == o->write[side])
			return step;
	}
	return NULL;
}

static void check_orders(struct told *t, const struct explore_result *r)
{
	for (size_t i = 0; i < 2 * t->sched->nr_orders && !t->error; i++) {
		const struct sched_order *o = &t->sched->order[i / 2];
		const struct explore_step *step = performed_write(r, o, i % 2);

		if (!step)
			wrong(t, o->line,
			      "%s did not come to its write #%u of %s",
			      o->thread[i % 2], o->write[i % 2], o->object);
		else if (step->reads && i % 2 == 0)
			wrong(t, o->line,
			      "%s's write #%u of %s is right behind what it "
			      "reads: a 'read' line says what that is",
			      o->thread[0], o->write[0], o->object);
	}
}

void told_check(struct told *t, const struct explore_result *r)
{
	check_reads(t);
	check_orders(t, r);
}

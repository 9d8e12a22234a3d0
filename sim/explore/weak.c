// SPDX-License-Identifier: GPL-2.0-only
/*
 * weak.c - the schedule of a violation that needs weaker memory than sc.
 *
 * The steps of a search follow each other so that each comes after what it reads
 * from. Where a read does not read the latest write, or a write is not the latest,
 * the step says so, and so does a line.
 *
 * A run in another process may know less of what is shared: it finds out again. What
 * two threads touch in this very execution, one of them writing, it is sure to know;
 * nothing else is used as a point or counted.
 */
#include "weak.h"

#include "explore.h"
#include "names.h"
#include "schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct weak {
	const struct explore_result *r;
	struct sched *s;
	bool *sure; /* per step */
};

static bool overlap(const struct explore_step *a, const struct explore_step *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

static bool is_sure(const struct explore_result *r, size_t i)
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

/* Reads of the object of step i up to there, by anybody. */
static unsigned int read_number(const struct explore_result *r, size_t i)
{
	unsigned int n = 0;

	for (size_t k = 0; k <= i; k++)
		n += r->steps[k].reads && !r->steps[k].blocked &&
		     same_object(&r->steps[k], &r->steps[i]);
	return n;
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

/* What the order of the steps does not say of step i. */
static int tell_memory(const struct weak *w, size_t i)
{
	const struct explore_result *r = w->r;
	const struct explore_step *s = &r->steps[i];
	const char *object = names_operand(s);
	const struct explore_step *other;

	if (s->source < 0)
		return sched_add_read(w->s, object, read_number(r, i), NULL, 0)
			       ? 0
			       : -ENOMEM;
	if (s->source > 0) {
		other = &r->steps[s->source - 1];
		if (!same_object(other, s))
			return -ESRCH;
		if (!sched_add_read(w->s, object, read_number(r, i),
				    explore_thread_name(other->thread),
				    write_number(r, s->source - 1)))
			return -ENOMEM;
	}
	if (!s->before || s->reads)
		return 0;
	other = &r->steps[s->before - 1];
	if (!same_object(other, s))
		return -ESRCH;
	return sched_add_order(w->s, object, explore_thread_name(s->thread),
			       write_number(r, i),
			       explore_thread_name(other->thread),
			       write_number(r, s->before - 1))
		       ? 0
		       : -ENOMEM;
}

static int tell_choice(const struct weak *w, size_t i)
{
	const struct explore_step *s = &w->r->steps[i];

	if (!sched_choice_word(explore_op_name(s->op)) || !s->val)
		return 0;
	return sched_add_choice(w->s, explore_thread_name(s->thread),
				explore_op_name(s->op), s->peer, s->val)
		       ? 0
		       : -ENOMEM;
}

static bool same_event(const struct explore_step *a,
		       const struct explore_step *b)
{
	const char *x = names_operand(a), *y = names_operand(b);

	return a->thread == b->thread && a->op == b->op && !x == !y &&
	       (!x || !strcmp(x, y));
}

/* The next sure step that a thread performs from i on, or nr_steps. */
static size_t next_of(const struct weak *w, int thread, size_t i)
{
	for (; i < w->r->nr_steps; i++) {
		const struct explore_step *s = &w->r->steps[i];

		if (w->sure[i] && !s->blocked && s->thread == thread)
			break;
	}
	return i;
}

/* When it has nothing more to do: blocked, and not at its end? */
static bool ends_blocked(const struct explore_result *r, int thread)
{
	if (explore_thread_is_daemon(thread) && thread != r->thread)
		return true;
	for (size_t i = 0; i < r->nr_steps; i++) {
		if (r->steps[i].blocked && r->steps[i].thread == thread)
			return true;
	}
	return false;
}

/*
 * What it would do next, if the search had gone on: it must not, lest others see it. As
 * a point it must be known to be shared, as any.
 */
static const struct explore_step *never_done(const struct explore_result *r,
					     int thread)
{
	const struct explore_step *p = explore_thread_pending(thread);

	if (!p || thread == r->thread || !p->addr)
		return NULL;
	for (size_t k = 0; k < r->nr_steps; k++) {
		const struct explore_step *o = &r->steps[k];

		if (o->addr && o->thread != thread && overlap(p, o) &&
		    (o->wrote || !p->reads))
			return p;
	}
	return NULL;
}

/* `thread`, whose line began at step `from`, stops before step i. */
static int end_line(const struct weak *w, int thread, size_t from, size_t i)
{
	const struct explore_result *r = w->r;
	size_t next = next_of(w, thread, i);
	const struct explore_step *stop = next < r->nr_steps
						  ? &r->steps[next]
						  : never_done(r, thread);
	enum sched_point point = SCHED_EVENT;
	const char *word = NULL, *object = NULL;
	unsigned int count = 0;

	if (!stop)
		point = ends_blocked(r, thread) ? SCHED_BLOCKED : SCHED_END;
	if (point == SCHED_EVENT) {
		word = explore_op_name(stop->op);
		object = names_operand(stop);
		for (size_t k = from; k < i; k++)
			count |= w->sure[k] && same_event(&r->steps[k], stop);
		for (size_t k = 0; count && k < i; k++)
			count += w->sure[k] && same_event(&r->steps[k], stop);
	}
	return sched_add_run(w->s, explore_thread_name(thread), point, word,
			     object, count)
		       ? 0
		       : -ENOMEM;
}

static int tell_runs(const struct weak *w)
{
	const struct explore_result *r = w->r;
	size_t from = 0, i;
	int cur = -1, ret;

	for (i = 0; i < r->nr_steps; i++) {
		int t = r->steps[i].thread;

		if (!w->sure[i] || r->steps[i].blocked || t == cur)
			continue;
		ret = cur < 0 ? 0 : end_line(w, cur, from, i);
		if (ret)
			return ret;
		cur = t;
		from = i;
	}
	ret = cur < 0 ? 0 : end_line(w, cur, from, i);
	if (ret || r->thread < 0 || r->thread == cur)
		return ret;
	return end_line(w, r->thread, i, i);
}

int weak_derive(const struct explore_result *r, struct sched *s)
{
	struct weak w = { .r = r, .s = s };
	int ret = 0;

	w.sure = calloc(r->nr_steps + 1, sizeof(*w.sure));
	if (!w.sure)
		return -ENOMEM;
	for (size_t i = 0; i < r->nr_steps; i++)
		w.sure[i] = is_sure(r, i);
	for (size_t i = 0; i < r->nr_steps && !ret; i++) {
		ret = tell_choice(&w, i);
		if (!ret && w.sure[i])
			ret = tell_memory(&w, i);
	}
	if (!ret)
		ret = tell_runs(&w);
	free(w.sure);
	return ret;
}

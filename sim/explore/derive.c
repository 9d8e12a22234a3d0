// SPDX-License-Identifier: GPL-2.0-only
/*
 * derive.c - the run lines that repeat a violation.
 *
 * A search records the operations on shared memory only; a sequential run
 * performs all. So one sequential run is led along the recorded steps, each
 * thread's private operations coming just before the step that follows them,
 * and at each switch the thread left behind shows what it is about to do: that
 * is the line's point, counted by the machine that will replay it. If no such run
 * repeats it, and memory is weaker than sc, a run on a graph is led likewise, which
 * performs operations on shared memory only.
 */
#include "follow.h"

#include "names.h"
#include "schedule.h"
#include "slice.h"
#include "weak.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How often a thread performed an event so far, and when its line began. */
struct tally {
	int thread;
	enum explore_op op;
	const char *operand; /* or NULL */
	unsigned int count, at_start;
};

struct derive {
	const struct explore_result *r;
	struct sched *sched;
	struct tally *tally;
	size_t nr, room;
	size_t i;  /* next step of r */
	int cur;   /* thread whose line is being run, or -1 */
	bool last; /* the last line was written */
	bool on_graph;
	const struct explore_step *now; /* being performed, if recorded */
	struct weak weak;
	int error;
};

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct tally *tally(struct derive *d, int thread,
			   const struct explore_step *p)
{
	const char *operand = names_operand(p);

	for (size_t i = 0; i < d->nr; i++) {
		struct tally *t = &d->tally[i];

		if (t->thread == thread && t->op == p->op &&
		    same(t->operand, operand))
			return t;
	}
	if (d->nr == d->room) {
		d->room = d->room ? 2 * d->room : 64;
		d->tally = reallocarray(d->tally, d->room, sizeof(*d->tally));
		if (!d->tally)
			abort();
	}
	d->tally[d->nr] = (struct tally){ thread, p->op, operand, 0, 0 };
	return &d->tally[d->nr++];
}

static void begin_line(struct derive *d, int thread)
{
	d->cur = thread;
	for (size_t i = 0; i < d->nr; i++) {
		if (d->tally[i].thread == thread)
			d->tally[i].at_start = d->tally[i].count;
	}
}

/* Write the line of the current thread, which is about to perform p. */
static void end_line(struct derive *d, const struct explore_step *p)
{
	enum sched_point point = p->op == OP_END ? SCHED_END : SCHED_EVENT;
	const char *word = NULL, *operand = NULL;
	unsigned int count = 0;

	if (point == SCHED_EVENT) {
		struct tally *t = tally(d, d->cur, p);

		word = explore_op_name(p->op);
		operand = t->operand;
		/* Not the next one since the line began: say which. */
		if (t->count != t->at_start)
			count = t->count + 1;
	}
	if (!sched_add_run(d->sched, explore_thread_name(d->cur), point, word,
			   operand, count))
		d->error = -ENOMEM;
}

static void end_line_blocked(struct derive *d)
{
	if (!sched_add_run(d->sched, explore_thread_name(d->cur), SCHED_BLOCKED,
			   NULL, NULL, 0))
		d->error = -ENOMEM;
}

static const struct explore_step *next_step(const struct derive *d, int thread)
{
	for (size_t i = d->i; i < d->r->nr_steps; i++) {
		const struct explore_step *s = &d->r->steps[i];

		/* it is about to do what it was about to before */
		if (s->thread == thread && s->op != OP_IRET)
			return s;
	}
	return NULL;
}

static bool is_step(const struct explore_step *p, const struct explore_step *s)
{
	return p->op == s->op && p->addr == s->addr;
}

/* Waits, unlike a thread that has ended. */
static bool is_stuck(const struct explore_step *p)
{
	return p->blocked && p->op != OP_END;
}

static bool can_move(const struct explore_step *p)
{
	return p->op != OP_END && !p->blocked;
}

/*
 * Step s of the thread that is about to perform p is no operation in this run: on a
 * graph it becomes one when it is known to be shared, and the run begins again.
 */
static bool is_private(const struct derive *d, const struct explore_step *p,
		       const struct explore_step *s)
{
	const struct explore_step *end = d->r->steps + d->r->nr_steps;

	if (!d->on_graph || is_step(p, s))
		return false;
	while (++s < end && (s->thread != p->thread || !is_step(p, s)))
		;
	return s < end || p->op == OP_END;
}

static int perform(struct derive *d, int thread, const struct explore_step *p)
{
	if (!can_move(p))
		return -1; /* the step will never come */
	tally(d, thread, p)->count++;
	return thread;
}

/* The recorded steps are over: the finding comes on the way to the end. */
static int finish(struct derive *d, const struct explore_step *pending, int n)
{
	const struct explore_step *p = &pending[d->cur];

	/* a loop turns a few times before it is known to wait */
	if (!d->last && (d->r->finding != FIND_LIVELOCK || !can_move(p))) {
		d->last = true;
		if (explore_is_stuck(d->r->finding) && is_stuck(p))
			end_line_blocked(d);
		else if (!sched_add_run(d->sched, explore_thread_name(d->cur),
					SCHED_END, NULL, NULL, 0))
			d->error = -ENOMEM;
	}
	if (can_move(p))
		return d->cur;
	/* As after the last line of a schedule. */
	for (int t = 0; t < n; t++) {
		if (can_move(&pending[t]))
			return t;
	}
	return -1;
}

/*
 * Who moves next: the thread of step s; but a join waits for what its target
 * still does in private.
 */
static int next_thread(const struct derive *d, const struct explore_step *s,
		       const struct explore_step *pending, int n)
{
	bool stuck = explore_is_stuck(d->r->finding) || d->r->thread < 0;
	int to = s ? s->thread : stuck ? d->cur : d->r->thread;

	if (!s || (s->op != OP_JOIN && s->op != OP_IRET) || s->blocked ||
	    to >= n || !is_step(&pending[to], s) || !pending[to].blocked)
		return to;
	for (int t = 0; t < n; t++) {
		if (can_move(&pending[t]) && !next_step(d, t))
			return t;
	}
	return to;
}

/*
 * Let the current thread give way to another. Returns false if it has private
 * operations to perform first.
 */
static bool give_way(struct derive *d, const struct explore_step *p, int to)
{
	const struct explore_step *want = next_step(d, d->cur);

	if (want && !is_step(p, want) && !is_private(d, p, want) && can_move(p))
		return false;
	if (is_stuck(p) && (!want || want->blocked))
		end_line_blocked(d);
	else
		end_line(d, p);
	begin_line(d, to);
	return true;
}

static int pick(void *arg, const struct explore_step *pending, int n)
{
	struct derive *d = arg;

	while (!d->error) {
		const struct explore_step *s, *p;
		int to;

		s = d->i < d->r->nr_steps ? &d->r->steps[d->i] : NULL;
		to = next_thread(d, s, pending, n);
		if (to < 0 || to >= n) {
			d->error = -ESRCH;
			break;
		}
		if (s && s->blocked && pending[to].blocked &&
		    is_step(&pending[to], s)) {
			d->i++; /* it waits there already: no switch */
			continue;
		}
		if (s && is_private(d, &pending[to], s)) {
			d->i++;
			continue;
		}
		if (d->cur < 0)
			begin_line(d, to);
		if (d->cur != to && !give_way(d, &pending[d->cur], to))
			return perform(d, d->cur, &pending[d->cur]);
		if (!s)
			return finish(d, pending, n);
		p = &pending[to];
		if (to != s->thread || !is_step(p, s))
			return perform(d, to, p);
		d->i++;
		if (s->op != OP_END && !s->blocked) {
			d->now = s;
			return perform(d, to, p);
		}
	}
	return -1;
}

/* As the recorded run went; the thread's steps are counted alike. */
static uint64_t choose(void *arg, const struct explore_step *p)
{
	struct derive *d = arg;

	for (size_t i = 0; i < d->r->nr_steps; i++) {
		const struct explore_step *s = &d->r->steps[i];

		if (s->thread != p->thread || s->op != p->op ||
		    s->peer != p->peer)
			continue;
		if (s->val &&
		    !sched_add_choice(d->sched, explore_thread_name(s->thread),
				      explore_op_name(s->op), s->peer, s->val))
			d->error = -ENOMEM;
		return s->val;
	}
	return 0;
}

/* ---- on a graph ------------------------------------------------------------------ */

/* The recorded step that the run's is, or will be, or NULL. */
static const struct explore_step *recorded(const struct derive *d,
					   const struct explore_step *step)
{
	const struct explore_step *s = d->now ? d->now
					      : next_step(d, step->thread);

	return s && s->thread == step->thread && is_step(step, s) ? s : NULL;
}

static int source(void *arg, const struct explore_step *step,
		  const struct explore_write *co, int n)
{
	struct derive *d = arg;

	return weak_source(&d->weak, recorded(d, step), step, co, n);
}

static int place(void *arg, const struct explore_step *step,
		 const struct explore_write *co, int n)
{
	struct derive *d = arg;

	return weak_place(&d->weak, recorded(d, step), step, co, n);
}

static void performed(void *arg, const struct explore_step *step)
{
	struct derive *d = arg;

	weak_performed(&d->weak, step);
	d->now = NULL;
}

static void forbidden(void *arg, const struct explore_step *step)
{
	struct derive *d = arg;

	(void)step;
	d->error = -ESRCH;
}

static void begin(void *arg)
{
	struct derive *d = arg;

	weak_begin(&d->weak);
	d->nr = d->i = 0;
	d->cur = -1;
	d->last = false;
	d->now = NULL;
}

/* ---- the whole ------------------------------------------------------------------- */

/* steps: those of r that the run is to be led along; on a graph? */
static int derive(const struct explore_result *r,
		  const struct explore_result *steps, bool on_graph,
		  struct sched *s)
{
	struct derive d = { .r = steps,
			    .sched = s,
			    .cur = -1,
			    .on_graph = on_graph,
			    .weak = { .r = r, .sched = s } };
	struct explore_chooser chooser = { .pick = pick,
					   .choose = choose,
					   .source = source,
					   .place = place,
					   .performed = performed,
					   .forbidden = forbidden,
					   .again = begin,
					   .arg = &d,
					   .leaks = r->finding == FIND_LEAK };
	struct explore_result out = { 0 };

	if (on_graph)
		explore_guided(&chooser, follow_memory(s), &out);
	else
		explore_sequential(&chooser, &out);
	if (on_graph)
		weak_end(&d.weak);
	free(out.steps);
	free(d.tally);
	weak_free(&d.weak);
	if (d.error || d.weak.error)
		return d.error ? d.error : -ENOMEM;
	/* The finding ended the run before its last line was written? */
	if (!d.last && d.cur >= 0 &&
	    !sched_add_run(s, explore_thread_name(d.cur), SCHED_END, NULL, NULL,
			   0))
		return -ENOMEM;
	return out.finding == r->finding ? 0 : -ESRCH;
}

/* Real memory has no barriers; a graph has only what is shared. */
static bool is_operation(const struct explore_result *r, size_t i,
			 bool on_graph)
{
	return on_graph ? weak_is_sure(r, i) : r->steps[i].op != OP_FENCE;
}

/* One run along r's steps, or along those that are needed. */
static int derive_along(const struct explore_result *r, const bool *needed,
			bool on_graph, struct sched *s)
{
	struct explore_result few = *r;
	int ret = -ESRCH;

	few.steps = calloc(r->nr_steps + 1, sizeof(*few.steps));
	if (!few.steps)
		abort();
	few.nr_steps = 0;
	for (size_t i = 0; i < r->nr_steps; i++) {
		if ((!needed || needed[i]) && is_operation(r, i, on_graph))
			few.steps[few.nr_steps++] = r->steps[i];
	}
	if (few.nr_steps || !needed)
		ret = derive(r, &few, on_graph, s);
	free(few.steps);
	return ret;
}

int follow_derive(const struct explore_result *r, struct sched *s)
{
	bool *needed = calloc(r->nr_steps + 1, sizeof(*needed));
	int ret;

	if (!needed)
		abort();
	slice_needed(r, false, needed);
	/* First without what the failure does not seem to depend on. */
	ret = derive_along(r, needed, false, s);
	if (ret) {
		sched_drop_body(s);
		ret = derive_along(r, NULL, false, s);
	}
	if (ret && follow_memory(s) != MEMORY_SC)
		ret = derive_along(r, NULL, true, s);
	free(needed);
	return ret;
}

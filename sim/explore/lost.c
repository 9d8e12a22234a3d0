// SPDX-License-Identifier: GPL-2.0-only
/*
 * lost.c - a thread sleeps for ever: was it woken before it slept?
 *
 * Either its state was set to running while it was not asleep yet, or the queue, or
 * the condition, was woken before it stood there. Looked for in the steps of the run
 * that ended so.
 */
#include "ledger.h"

#include "blame.h"
#include "names.h"

#include <string.h>

/* The thread's previous step of that kind, or -1. */
static long last_step(const struct explore_result *r, long before, int thread,
		      enum explore_op op)
{
	while (before-- > 0)
		if (r->steps[before].thread == thread &&
		    r->steps[before].op == op)
			return before;
	return -1;
}

static bool is_inside(const struct explore_step *s, const char *function)
{
	const char *name;

	for (unsigned int i = 0; i < s->depth; i++) {
		name = names_function(s->stack[i]);
		if (name && !strcmp(name, function))
			return true;
	}
	name = names_function(s->pc);
	return name && !strcmp(name, function);
}

/* It found the thread awake, or came before the sleep. */
static bool woke_too_early(const struct explore_result *r, long i, long at)
{
	const struct explore_step *s = &r->steps[i];

	if (s->addr != r->steps[at].addr)
		return false;
	if (s->op == OP_SIGNAL || s->op == OP_BROADCAST)
		return !s->wrote;
	return s->op == OP_WAKE && (!s->wrote || i < at);
}

/* It woke the queue whose lock the thread took last, before that. */
static bool woke_queue(const struct explore_result *r, long i, long at)
{
	const struct explore_step *s = &r->steps[i];
	long stood = last_step(r, at, r->steps[at].thread, OP_LOCK);

	return s->op == OP_LOCK && i < stood &&
	       s->addr == r->steps[stood].addr && is_inside(s, "__wake_up");
}

/*
 * The latest wake-up that was lost on the sleep at `at`, after the sleep before it.
 * Weaker memory has no one order: the steps may show it later.
 */
static const struct explore_step *find_lost(const struct explore_result *r,
					    long at)
{
	long since = last_step(r, at, r->steps[at].thread, r->steps[at].op);

	for (long i = r->nr_steps - 1; i > since; i--)
		if (r->steps[i].thread != r->steps[at].thread &&
		    (woke_too_early(r, i, at) || woke_queue(r, i, at)))
			return &r->steps[i];
	return NULL;
}

static void explain(FILE *to, const struct explore_step *sleep,
		    const struct explore_step *wake)
{
	struct site site = { { wake->pc } };

	for (unsigned int i = 0; i < 3 && i < wake->depth; i++)
		site.pc[i + 1] = wake->stack[i];
	fprintf(to, "; lost wake-up: %s woke it",
		explore_thread_name(wake->thread));
	blame_place(to, " at", &site);
	fprintf(to, ", before %s slept", explore_thread_name(sleep->thread));
}

void lost_explain(const struct explore_result *r)
{
	FILE *to = blame_append();

	if (!to)
		return;
	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i], *wake;
		bool condition = s->op == OP_WAIT;
		long at = i;

		if ((s->op != OP_SLEEP && !condition) || !s->blocked)
			continue;
		/* -1: of a condition that nobody else knows */
		if (condition)
			at = last_step(r, i, s->thread, OP_WAIT);
		wake = at < 0 ? NULL : find_lost(r, at);
		if (wake)
			explain(to, s, wake);
	}
	fclose(to);
}

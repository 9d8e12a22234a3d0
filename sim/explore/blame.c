// SPDX-License-Identifier: GPL-2.0-only
/*
 * blame.c - who broke a rule of the ledger, and the sentence that says so.
 */
#include "blame.h"

#include "ledger.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

static struct {
	struct blame blame; /* of the run */
	struct blame noted; /* a cycle, of a sequential run */
	size_t noted_at;    /* steps before it */
	bool strict;
} found;

void blame_begin_run(void)
{
	if (engine->recording) /* a run whose finding is known */
		return;
	found.blame.finding = found.noted.finding = FIND_NONE;
}

void blame_fail(const struct blame *b)
{
	if (!engine->recording && !engine->stop) {
		found.blame = *b;
		found.blame.thread = engine->cur;
	}
	runtime_fail(b->finding, NULL, 0, "%s", b->verb);
}

void blame_cycle(const struct blame *b)
{
	if (found.strict)
		blame_fail(b);
	if (engine->mode != RUN_SEQUENTIAL || found.noted.finding)
		return;
	found.noted = *b;
	found.noted.thread = engine->cur;
	found.noted_at = engine->nr_steps;
}

void ledger_be_strict(bool strict)
{
	found.strict = strict;
}

bool ledger_accuse(size_t *nr_steps)
{
	if (found.noted.finding == FIND_NONE)
		return false;
	found.blame = found.noted;
	engine->res.finding = found.blame.finding;
	engine->res.thread = found.blame.thread;
	*nr_steps = found.noted_at;
	return true;
}

struct explore_step blame_step(enum explore_op op, uintptr_t addr,
			       const void *pc)
{
	const struct thread *t = &engine->t[engine->cur];
	struct explore_step s = { .thread = engine->cur,
				  .op = op,
				  .addr = addr,
				  .rf_thread = -1,
				  .pc = pc };

	while (s.depth < t->depth && s.depth < EXPLORE_STACK_MAX) {
		s.stack[s.depth] = t->shadow[t->depth - 1 - s.depth];
		s.depth++;
	}
	return s;
}

bool ledger_step(struct explore_step *step)
{
	if (found.blame.finding == FIND_NONE || !found.blame.has_step)
		return false;
	*step = found.blame.step;
	return true;
}

/* ---- words --------------------------------------------------------------------- */

struct site blame_site(const void *pc)
{
	struct site s = { { pc } };
	const struct thread *t;

	if (engine->cur < 0) /* no stack is kept */
		return (struct site){ { NULL } };
	t = &engine->t[engine->cur];
	for (unsigned int i = 1; i < 4 && i <= t->depth; i++)
		s.pc[i] = t->shadow[t->depth - i];
	return s;
}

const char *blame_file(const struct site *site, int *line)
{
	static const char core[] = "model/linux/core/";

	for (int i = 0; i < 4 && site->pc[i]; i++) {
		const char *file = names_place(site->pc[i], line);

		if (file && strncmp(names_path(file), core, strlen(core)))
			return file;
	}
	return site->pc[0] ? names_place(site->pc[0], line) : NULL;
}

void blame_place(FILE *to, const char *lead, const struct site *site)
{
	int line;
	const char *file = blame_file(site, &line);

	if (file)
		fprintf(to, "%s %s:%d", lead, names_path(file), line);
}

static void write_sentence(FILE *to, const struct blame *b)
{
	if (b->held)
		order_say(to, b->thread, b->held, b->object);
	else
		fprintf(to, "%s %s", explore_thread_name(b->thread), b->verb);
	if (b->object && !b->held)
		fprintf(to, " %s", names_address(b->object, 0));
	if (b->tail)
		fputs(b->tail, to);
	if (b->since)
		blame_place(to, b->since, &b->since_site);
	if (b->held)
		order_explain(to, b->held, b->object);
}

const char *explore_made_at(uintptr_t addr, int *line)
{
	int o = memory_object(addr);

	return o < 0 ? NULL : blame_file(&memory_get(o)->site, line);
}

/* Of what was freed: who had made it. */
static void explain_object(struct explore_result *r)
{
	size_t n = strlen(r->message);
	int line;
	const char *file = explore_made_at(r->bad_addr, &line);

	if (file)
		snprintf(r->message + n, sizeof(r->message) - n,
			 "; it was allocated at %s:%d", names_path(file), line);
}

FILE *blame_append(void)
{
	char *message = engine->res.message;
	size_t n = strlen(message);
	size_t room = sizeof(engine->res.message) - 1 - n;

	message[n + room] = '\0';
	return fmemopen(message + n, room, "w");
}

void ledger_explain(void)
{
	const struct blame *b = &found.blame;
	struct explore_result *r = &engine->res;
	FILE *to;

	if (b->finding == FIND_NONE) {
		if (r->finding == FIND_USE_AFTER_FREE ||
		    r->finding == FIND_DOUBLE_FREE ||
		    r->finding == FIND_BAD_FREE)
			explain_object(r);
		return;
	}
	memset(r->message, 0, sizeof(r->message));
	to = blame_append();
	if (!to)
		abort();
	write_sentence(to, b);
	fclose(to);
	r->file = blame_file(&b->site, &r->line);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * findings.c - a run ends with a finding: what was freed under whom, what failed,
 * who waits for ever.
 *
 * An access must be before the free of its object in the model's order, in every
 * graph: if the two are unordered, some run has the access last.
 */
#include "engine.h"

#include "ledger.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool runtime_is_before(int x, int y)
{
	const struct graph *g = engine->g;

	if (g->ev[x].thread == g->ev[y].thread || graph_cpu_before(g, x, y))
		return graph_cpu_before(g, x, y);
	return engine->model == GRAPH_LKMM ? plain_before(x, y)
					   : graph_is_before(g, x, y);
}

static bool used_at(int thread, int index)
{
	engine->bad_thread = thread;
	engine->bad_index = index;
	return false;
}

/* If not, where the use is. */
static bool ordered_with_frees(int slot)
{
	struct graph *g = engine->g;
	struct event *e = &g->ev[slot];
	struct object *o;

	if (e->object < 0)
		return true;
	o = memory_get(e->object);
	if (e->kind != EV_FREE) {
		/* a timer's wait is not an access to the timer */
		if ((e->flags & EVF_DAEMON) && (e->flags & EVF_AWAIT) &&
		    (e->rf == RF_WAITING || !condition_holds(e, e->val)))
			return true;
		return o->free_event < 0 ||
		       runtime_is_before(slot, o->free_event) ||
		       used_at(e->thread, e->index);
	}
	for (int t = 0; t < engine_threads(); t++) {
		struct thread *th = &engine->t[t];
		int i = o->touch[t];

		if (i < 0 || (t == e->thread && i <= e->index))
			continue;
		if (i >= th->nr_rec || !runtime_is_before(th->rec[i], slot))
			return used_at(t, i);
	}
	return true;
}

void runtime_check_free(int slot)
{
	struct graph *g = engine->g;
	struct event *e = &g->ev[slot];
	int x, bad = -1;

	if (e->object < 0 || engine->stop)
		return;
	if (engine->model == GRAPH_LKMM &&
	    (e->kind == EV_FREE || memory_get(e->object)->free_event >= 0))
		plain_order(g);
	if (!ordered_with_frees(slot))
		bad = slot;
	if (e->kind == EV_FREE)
		for_each_bit(x, g->live, g->words)
			if (x != slot && g->ev[x].object == e->object &&
			    !runtime_is_before(x, slot) &&
			    (g->ev[x].kind == EV_FREE ||
			     !ordered_with_frees(x)))
				bad = x;
	if (bad < 0)
		return;
	engine->bad_free = memory_get(e->object)->free_event;
	engine->stop = STOP_VIOLATION;
	engine->res.finding = g->ev[bad].kind == EV_FREE && bad != slot
				      ? FIND_DOUBLE_FREE
				      : FIND_USE_AFTER_FREE;
	engine->res.thread = engine->res.finding == FIND_DOUBLE_FREE
				     ? e->thread
				     : engine->bad_thread;
	engine->res.bad_addr = g->ev[bad].addr;
	engine->res.file = NULL;
	snprintf(engine->res.message, sizeof(engine->res.message), "%s",
		 engine->res.finding == FIND_DOUBLE_FREE
			 ? "an object is freed twice"
			 : "an object is used after, or while, it is freed");
}

void runtime_fail(enum explore_finding f, const char *file, int line,
		  const char *fmt, ...)
{
	va_list ap;

	if (engine->cur >= 0)
		access_settle();
	if (engine->recording) {
		/* known already; let the others leave their trails */
		engine->t[engine->cur].state = THREAD_BLOCKED;
	} else if (!engine->stop) {
		engine->stop = STOP_VIOLATION;
		engine->res.finding = f;
		engine->res.file = file;
		engine->res.line = line;
		engine->res.thread = engine->cur;
		va_start(ap, fmt);
		vsnprintf(engine->res.message, sizeof(engine->res.message), fmt,
			  ap);
		va_end(ap);
	}
	runtime_park_forever();
}

void (*explore_refused)(const char *sentence);

void runtime_refuse(const char *fmt, ...)
{
	char sentence[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	if (explore_refused)
		explore_refused(sentence);
	else
		fprintf(stderr, "trapline: %s\n", sentence);
	exit(2);
}

/* Does thread i wait, and for more than the end of the others? */
static bool waits(int i)
{
	const struct thread *t = &engine->t[i];

	return !t->daemon && !runtime_thread_over(i) &&
	       t->state != THREAD_COMING &&
	       (t->state != THREAD_PENDING ||
		t->pending.ev.kind != EV_JOIN_ALL);
}

void runtime_deadlock(void)
{
	struct explore_result *r = &engine->res;
	bool loops = false;
	int len = 0;

	engine->stop = STOP_VIOLATION;
	for (int i = 0; i < engine_threads(); i++)
		loops |= waits(i) && engine->t[i].spins_from >= 0;
	r->finding = loops ? FIND_LIVELOCK : FIND_DEADLOCK;
	r->thread = -1;
	r->file = NULL;
	for (int i = 0; i < engine_threads(); i++) {
		const struct thread *t = &engine->t[i];

		if (!waits(i) || (loops && t->spins_from < 0))
			continue;
		len += snprintf(r->message + len, sizeof(r->message) - len,
				"%s%s", len ? ", " : "", t->name);
		if (r->thread < 0)
			r->thread = i;
		if (len >= (int)sizeof(r->message) - 64)
			break;
	}
	snprintf(r->message + len, sizeof(r->message) - len,
		 loops ? " turn%s in a loop that nobody will end"
		       : " wait%s for what nobody will do",
		 strchr(r->message, ',') ? "" : "s");
	ledger_explain_deadlock();
}

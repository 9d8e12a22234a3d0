// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - what a process has seen of a search, as text for another one.
 *
 * Both run the same program, which has fixed addresses: so a place in the code, and
 * the name of a type, is said by its address. One line each, and a last one:
 *
 *	executions N blocked N events N threads N few_wakeups 0|1
 *	race ADDR SIZE WHAT
 *	by THREAD WRITE PLAIN PC NAME \t STACK		(two of them)
 *	entered WORD BITS
 *	order HELD TYPE WANTED TYPE THREAD PC PC PC PC
 *	end
 *
 * All is there in the order in which it was seen, and taking it does what seeing it
 * would have done.
 */
#include "search.h"

#include "ledger.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct record_mark record_begin(void)
{
	struct record_mark m = { .executions = engine->res.executions,
				 .blocked = engine->res.blocked,
				 .events = engine->res.events,
				 .nr_races = engine->res.nr_races };
	struct lock_order unused;

	while (order_get(m.nr_orders, &unused))
		m.nr_orders++;
	cover_forget();
	return m;
}

/* ---- writing --------------------------------------------------------------------- */

static void write_racer(FILE *to, const struct explore_racer *by)
{
	fprintf(to, "by %d %d %d %" PRIxPTR " %s\t", by->thread, by->write,
		by->plain, (uintptr_t)by->pc, by->name);
	for (unsigned int i = 0; i < by->depth; i++)
		fprintf(to, " %" PRIxPTR, (uintptr_t)by->stack[i]);
	fputc('\n', to);
}

static void write_race(FILE *to, const struct explore_race *r)
{
	fprintf(to, "race %" PRIxPTR " %u %s\n", r->addr, r->size,
		r->what ? r->what : "");
	write_racer(to, &r->by[0]);
	write_racer(to, &r->by[1]);
}

static void write_order(FILE *to, const struct lock_order *o)
{
	fprintf(to, "order %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %" PRIxPTR,
		o->held, (uintptr_t)o->held_type, o->wanted,
		(uintptr_t)o->wanted_type);
	fprintf(to, " %d", o->thread);
	for (int i = 0; i < 4; i++)
		fprintf(to, " %" PRIxPTR, (uintptr_t)o->site.pc[i]);
	fputc('\n', to);
}

void record_write(FILE *to, const struct record_mark *since)
{
	const struct explore_result *r = &engine->res;
	struct lock_order o;
	uint64_t bits;

	fprintf(to,
		"executions %" PRIu64 " blocked %" PRIu64 " events %" PRIu64
		" threads %d few_wakeups %d\n",
		r->executions - since->executions, r->blocked - since->blocked,
		r->events - since->events, r->threads, r->few_wakeups);
	for (size_t i = since->nr_races; i < r->nr_races; i++)
		write_race(to, &r->races[i]);
	for (size_t at = 0; cover_next(&at, &bits); at++)
		fprintf(to, "entered %zu %" PRIx64 "\n", at, bits);
	for (int k = since->nr_orders; order_get(k, &o); k++)
		write_order(to, &o);
	fputs("end\n", to);
}

/* ---- taking ---------------------------------------------------------------------- */

uint64_t record_executions(const char *text)
{
	uint64_t n = 0;

	return sscanf(text, "executions %" SCNu64, &n) == 1 ? n : 0;
}

static bool next_line(const char **text, char *line)
{
	const char *end = strchr(*text, '\n');
	size_t n = end ? (size_t)(end - *text) : LINE_MAX;

	if (n >= LINE_MAX)
		return false;
	memcpy(line, *text, n);
	line[n] = '\0';
	*text = end + 1;
	return true;
}

static bool take_counts(const char *line)
{
	uint64_t executions, blocked, events;
	int threads, few;

	if (sscanf(line,
		   "executions %" SCNu64 " blocked %" SCNu64 " events %" SCNu64
		   " threads %d few_wakeups %d",
		   &executions, &blocked, &events, &threads, &few) != 5)
		return false;
	engine->res.few_wakeups |= few;
	if (threads > engine->res.threads)
		engine->res.threads = threads;
	engine->res.executions += executions;
	engine->res.blocked += blocked;
	engine->res.events += events;
	return true;
}

static bool take_stack(const char *text, struct explore_racer *by)
{
	while (*text) {
		char *end;

		if (by->depth == EXPLORE_STACK_MAX)
			return false;
		by->stack[by->depth++] = (const void *)strtoull(text, &end, 16);
		if (end == text)
			return false;
		text = end;
	}
	return true;
}

static bool take_racer(const char *line, struct explore_racer *by)
{
	int write, plain, at = 0;
	const char *tab = strchr(line, '\t');
	uintptr_t pc;

	if (!tab ||
	    sscanf(line, "by %d %d %d %" SCNxPTR " %n", &by->thread, &write,
		   &plain, &pc, &at) != 4 ||
	    !at || by->thread < 0 || by->thread >= NR_THREADS)
		return false;
	by->write = write;
	by->plain = plain;
	by->pc = (const void *)pc;
	by->name = strndup(line + at, tab - line - at);
	return take_stack(tab + 1, by);
}

/* Three lines. */
static bool take_race(char *line, const char **text)
{
	struct explore_race r = { 0 };
	int at = 0;

	if (sscanf(line, "race %" SCNxPTR " %u %n", &r.addr, &r.size, &at) !=
		    2 ||
	    !at)
		return false;
	r.what = line[at] ? strdup(line + at) : NULL;
	for (int i = 0; i < 2; i++)
		if (!next_line(text, line) || !take_racer(line, &r.by[i]))
			return false;
	if (races_add(&r))
		return true;
	free((char *)r.what);
	free((char *)r.by[0].name);
	free((char *)r.by[1].name);
	return true;
}

static bool take_entered(const char *line)
{
	size_t at;
	uint64_t bits;

	if (sscanf(line, "entered %zu %" SCNx64, &at, &bits) != 2)
		return false;
	cover_add(at, bits);
	return true;
}

static bool take_order(const char *line)
{
	struct lock_order o;
	uintptr_t held_type, wanted_type, pc[4];

	if (sscanf(line,
		   "order %" SCNxPTR " %" SCNxPTR " %" SCNxPTR " %" SCNxPTR
		   " %d %" SCNxPTR " %" SCNxPTR " %" SCNxPTR " %" SCNxPTR,
		   &o.held, &held_type, &o.wanted, &wanted_type, &o.thread,
		   &pc[0], &pc[1], &pc[2], &pc[3]) != 9 ||
	    o.thread < 0 || o.thread >= NR_THREADS)
		return false;
	o.held_type = (const char *)held_type;
	o.wanted_type = (const char *)wanted_type;
	for (int i = 0; i < 4; i++)
		o.site.pc[i] = (const void *)pc[i];
	order_put(&o);
	return true;
}

static bool take_line(char *line, const char **text)
{
	switch (*line) {
	case 'r':
		return take_race(line, text);
	case 'o':
		return take_order(line);
	case 'e':
		return line[1] == 'x' ? take_counts(line) : take_entered(line);
	default:
		return false;
	}
}

bool record_take(const char *text)
{
	char line[LINE_MAX];

	while (next_line(&text, line)) {
		if (!strcmp(line, "end"))
			return true;
		if (!take_line(line, &text))
			return false;
	}
	return false;
}

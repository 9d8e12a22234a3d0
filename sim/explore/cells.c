// SPDX-License-Identifier: GPL-2.0-only
/*
 * cells.c - what one cell of the column report says.
 */
#include "cells.h"

#include "explore.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void values(FILE *to, const struct explore_step *s)
{
	switch (s->op) {
	case OP_READ:
		fputs(" = ", to);
		names_value(to, s->addr, s->old, s->size);
		break;
	case OP_WRITE:
		fputs(" = ", to);
		names_value(to, s->addr, s->val, s->size);
		break;
	case OP_XCHG:
	case OP_CMPXCHG:
	case OP_ADD:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_NAND:
	case OP_WAKE:
		fputs(": ", to);
		names_value(to, s->addr, s->old, s->size);
		if (s->wrote) {
			fputs(" -> ", to);
			names_value(to, s->addr, s->val, s->size);
		} else {
			fputs(", unchanged", to);
		}
		break;
	case OP_CHOOSE:
		fprintf(to, " %llu of %llu", (unsigned long long)s->val,
			(unsigned long long)s->old);
		break;
	case OP_ALLOC:
		fputs(s->val ? " fails" : "", to);
		break;
	case OP_WAKEUP:
		fputs(s->val ? " early" : "", to);
		break;
	default:
		break;
	}
}

char *cell_step(const struct explore_step *step, const char *mark)
{
	const char *operand = names_operand(step);
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		abort();
	fputs(explore_op_name(step->op), to);
	if (operand)
		fprintf(to, " %s", operand);
	if (step->blocked)
		fputs("  blocked", to);
	else
		values(to, step);
	if (step->source)
		fprintf(to, ", from %s",
			step->source < 0
				? "before"
				: explore_thread_name(step->rf_thread));
	if (mark)
		fprintf(to, "  <-- %s", mark);
	fclose(to);
	return text;
}

/* The value in memory before step `at`, if the run shows it. */
static bool value_before(const struct explore_result *r, uintptr_t addr,
			 size_t at, uint64_t *value)
{
	while (at--) {
		const struct explore_step *s = &r->steps[at];

		if (s->addr != addr || s->op == OP_FREE || s->blocked)
			continue;
		*value = s->wrote ? s->val : s->old;
		return true;
	}
	return false;
}

bool cell_waits(const struct explore_result *r, const struct explore_step *step,
		size_t at)
{
	uint64_t value;

	switch (step->op) {
	case OP_JOIN:
		for (size_t i = at; i < r->nr_steps; i++) {
			if (r->steps[i].thread == step->peer)
				return true;
		}
		return false;
	case OP_LOCK:
	case OP_SLEEP:
		return step->addr && value_before(r, step->addr, at, &value) &&
		       value != 0;
	default:
		return false;
	}
}

/* How often `thread` has taken the lock at addr before step `at`. */
static int held(const struct explore_result *r, int thread, uintptr_t addr,
		size_t at)
{
	int n = 0;

	for (size_t i = 0; i < at; i++) {
		const struct explore_step *s = &r->steps[i];

		if (s->thread != thread || s->addr != addr || s->blocked)
			continue;
		if (s->op == OP_LOCK)
			n += s->wrote; /* not, if it was only tried */
		else if (s->op == OP_UNLOCK && n)
			n--;
	}
	return n;
}

static void list_held(FILE *to, const struct explore_result *r, int thread,
		      size_t at, const char *lead)
{
	for (size_t i = 0; i < at; i++) {
		const struct explore_step *s = &r->steps[i];
		bool named = false;

		if (s->thread != thread || s->op != OP_LOCK ||
		    !held(r, thread, s->addr, at))
			continue;
		for (size_t k = 0; k < i && !named; k++)
			named = r->steps[k].thread == thread &&
				r->steps[k].op == OP_LOCK &&
				r->steps[k].addr == s->addr;
		if (named)
			continue;
		fprintf(to, "%s%s", lead, names_operand(s));
		lead = ", ";
	}
}

char *cell_switch(const struct explore_result *r, int thread, size_t at,
		  const unsigned int *number)
{
	const struct explore_step *next = NULL;
	const char *operand;
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		abort();
	for (size_t i = at; i < r->nr_steps && !next; i++) {
		if (r->steps[i].thread == thread && number[i])
			next = &r->steps[i];
	}
	if (next && next->op == OP_IRET) {
		fputs("(interrupted", to);
	} else if (next && cell_waits(r, next, at)) {
		operand = names_operand(next);
		fprintf(to, "(waits: %s %s", explore_op_name(next->op),
			operand ? operand : "");
	} else if (next) {
		fputs("(preempted", to);
	}
	list_held(to, r, thread, at, next ? "; holds " : "(holds ");
	if (ftell(to) > 0)
		fputc(')', to);
	fclose(to);
	if (len)
		return text;
	free(text);
	return NULL;
}

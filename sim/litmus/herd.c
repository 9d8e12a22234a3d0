// SPDX-License-Identifier: GPL-2.0-only
/*
 * herd.c - states and verdict of a litmus test.
 *
 * As herd counts: Positive and Negative are executions for and against the
 * condition as quantified, Observation counts those that satisfy what is in its
 * parentheses, so the two differ for ~exists.
 */
#include "herd.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

static const char *const claims[] = {
	[LITMUS_EXISTS] = "Allowed",
	[LITMUS_NOT_EXISTS] = "Forbidden",
	[LITMUS_FORALL] = "Required",
};

static const char *observation(const struct outcomes *o)
{
	if (!o->positive)
		return "Never";
	return o->negative ? "Sometimes" : "Always";
}

bool herd_ok(const struct herd *how)
{
	const struct outcomes *o = how->outcomes;

	switch (how->t->quantifier) {
	case LITMUS_EXISTS:
		return o->positive > 0;
	case LITMUS_NOT_EXISTS:
		return o->positive == 0;
	default:
		return o->negative == 0;
	}
}

static size_t nr_states(const struct outcomes *o)
{
	size_t n = 0;

	while (n < o->nr && !o->list[n].waits)
		n++;
	return n;
}

static unsigned long long number(uint64_t n)
{
	return n;
}

/* ---- text ----------------------------------------------------------------------- */

static void state(FILE *to, const struct litmus *t, const struct outcome *o)
{
	for (int i = 0; i < t->nr_items; i++)
		fprintf(to, "%s%s=%s;", i ? " " : "",
			litmus_item_name(t, t->item[i]),
			litmus_value_name(t, t->item[i], o->value[i]));
}

static void waits(FILE *to, const struct herd *how, const struct outcome *o)
{
	const char *comma = how->t->nr_items ? "  " : "";

	for (int n = 0; n < how->t->nr_threads; n++) {
		unsigned int line, column;

		if (!o->waits[n])
			continue;
		litmus_place(how->t->text, o->waits[n]->at, &line, &column);
		fprintf(to, "%sP%d waits in %s (%s:%u:%u)", comma, n,
			o->waits[n]->call->name, how->path, line, column);
		comma = ", ";
	}
}

static void deadlocks(FILE *to, const struct herd *how)
{
	const struct outcomes *o = how->outcomes;

	if (!o->deadlocks)
		return;
	fprintf(to, "Deadlock: %llu more execution%s cannot end\n",
		number(o->deadlocks), o->deadlocks == 1 ? "" : "s");
	for (size_t i = nr_states(o); i < o->nr; i++) {
		state(to, how->t, &o->list[i]);
		waits(to, how, &o->list[i]);
		fputc('\n', to);
	}
}

/* What the explorer finds for itself, it finds in the interpreter's code. */
static bool has_line(const struct herd *how)
{
	return how->result->file && !strcmp(how->result->file, how->path);
}

static void violation(FILE *to, const struct herd *how)
{
	const struct explore_result *r = how->result;

	fprintf(to, "%s  %s",
		r->verdict == EXPLORE_REFUSED ? "REFUSED" : "FAIL", r->message);
	if (has_line(how))
		fprintf(to, " (%s:%d)", r->file, r->line);
	fputc('\n', to);
}

void herd_text(FILE *to, const struct herd *how)
{
	const struct explore_result *r = how->result;
	const struct outcomes *o = how->outcomes;
	const char *limits = report_limits(how->memory, how->deps);
	bool not = how->t->quantifier == LITMUS_NOT_EXISTS;
	char *condition;

	if (r->verdict == EXPLORE_VIOLATED || r->verdict == EXPLORE_REFUSED) {
		violation(to, how);
		return;
	}
	condition = litmus_condition(how->t);
	fprintf(to, "Test %s %s\nStates %zu\n", how->t->name,
		claims[how->t->quantifier], nr_states(o));
	for (size_t i = 0; i < nr_states(o); i++) {
		state(to, how->t, &o->list[i]);
		fputc('\n', to);
	}
	fprintf(to, "%s\nWitnesses\nPositive: %llu Negative: %llu\n",
		herd_ok(how) ? "Ok" : "No",
		number(not ? o->negative : o->positive),
		number(not ? o->positive : o->negative));
	fprintf(to, "Condition %s\nObservation %s %s %llu %llu\n", condition,
		how->t->name, observation(o), number(o->positive),
		number(o->negative));
	deadlocks(to, how);
	fprintf(to, "Memory %s, %s%s\n", report_memory(how->memory),
		r->verdict == EXPLORE_UNDECIDED
			? "undecided: the budget ended before the search"
			: "every execution",
		report_condition(how->memory, how->deps));
	if (limits)
		fprintf(to, "%s\n", limits);
	fprintf(to, "Time %s %.2f\n", how->t->name, r->seconds);
	free(condition);
}

/* ---- JSON ------------------------------------------------------------------------- */

static void string(FILE *to, const char *s)
{
	fputc('"', to);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', to);
		fputc(*s, to);
	}
	fputc('"', to);
}

static void member(FILE *to, const char *key, const char *value)
{
	fprintf(to, ",\"%s\":", key);
	string(to, value);
}

/* An address is a string, 0 a number. */
static void json_value(FILE *to, const struct litmus *t,
		       const struct outcome *o, int k)
{
	struct litmus_item item = t->item[k];
	const char *quote = litmus_is_pointer(t, item) && o->value[k] ? "\""
								      : "";

	fprintf(to, "%s\"%s\":", k ? "," : "", litmus_item_name(t, item));
	fprintf(to, "%s%s%s", quote, litmus_value_name(t, item, o->value[k]),
		quote);
}

static void json_states(FILE *to, const struct herd *how)
{
	const struct outcomes *o = how->outcomes;

	fputs(",\"states\":[", to);
	for (size_t i = 0; i < nr_states(o); i++) {
		fprintf(to, "%s{\"executions\":%llu,\"values\":{", i ? "," : "",
			number(o->list[i].count));
		for (int k = 0; k < how->t->nr_items; k++)
			json_value(to, how->t, &o->list[i], k);
		fputs("}}", to);
	}
	fputc(']', to);
}

static const char *verdict(const struct herd *how)
{
	bool asks = how->t->quantifier == LITMUS_EXISTS;

	if (how->result->verdict == EXPLORE_VIOLATED ||
	    how->outcomes->deadlocks || !(asks || herd_ok(how)))
		return "violated";
	return how->result->verdict == EXPLORE_HOLDS ? "holds" : "undecided";
}

void herd_json_refused(FILE *to, const char *path, enum explore_memory memory,
		       const char *message)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path), *suffix;

	if (!name)
		abort();
	suffix = strstr(name, ".litmus");
	if (suffix)
		*suffix = '\0';
	fputs("{\"schema\":\"trapline/1\"", to);
	member(to, "name", name);
	member(to, "verdict", "undecided");
	member(to, "message", message);
	fputs(",\"executions\":0,\"blocked\":0", to);
	member(to, "memory", report_memory(memory));
	fputs(",\"seconds\":0.000}\n", to);
	free(name);
}

void herd_json(FILE *to, const struct herd *how)
{
	const struct explore_result *r = how->result;
	const struct outcomes *o = how->outcomes;
	char *condition = litmus_condition(how->t);

	fputs("{\"schema\":\"trapline/1\"", to);
	member(to, "name", how->t->name);
	member(to, "verdict", verdict(how));
	if (r->verdict == EXPLORE_VIOLATED || r->verdict == EXPLORE_REFUSED) {
		member(to, "message", r->message);
		if (has_line(how))
			fprintf(to, ",\"line\":%d", r->line);
	} else {
		fprintf(to, ",\"ok\":%s", herd_ok(how) ? "true" : "false");
		member(to, "observation", observation(o));
		fprintf(to, ",\"positive\":%llu,\"negative\":%llu",
			number(o->positive), number(o->negative));
		json_states(to, how);
	}
	member(to, "condition", condition);
	fprintf(to, ",\"deadlocks\":%llu,\"executions\":%llu,\"blocked\":%llu",
		number(o->deadlocks), number(r->executions),
		number(r->blocked));
	member(to, "memory", report_memory(how->memory));
	if (how->memory == MEMORY_LKMM)
		member(to, "deps", report_deps(how->deps));
	fprintf(to, ",\"seconds\":%.3f}\n", r->seconds);
	free(condition);
}

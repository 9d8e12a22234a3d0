// SPDX-License-Identifier: GPL-2.0-only
/*
 * json.c - an exploration's result as one JSON object on one line.
 */
#include "report.h"

#include "columns.h"
#include "names.h"

#include <stdlib.h>

void report_json_string(FILE *to, const char *s)
{
	fputc('"', to);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			fprintf(to, "\\u%04x", *s);
		else
			fputc(*s, to);
	}
	fputc('"', to);
}

static void member(FILE *to, const char *key, const char *value)
{
	if (!value)
		return;
	fprintf(to, ",\"%s\":", key);
	report_json_string(to, value);
}

static void steps(FILE *to, const struct explore_result *r)
{
	unsigned int *number = calloc(r->nr_steps + 1, sizeof(*number));

	if (!number)
		abort();
	columns_number(r, number);
	fputs(",\"steps\":[", to);
	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];

		if (!number[i])
			continue;

		fprintf(to, "%s{\"thread\":", number[i] > 1 ? "," : "");
		report_json_string(to, explore_thread_name(s->thread));
		member(to, "op", explore_op_name(s->op));
		member(to, "object", names_operand(s));
		fprintf(to,
			",\"old\":%llu,\"new\":%llu,\"wrote\":%s,"
			"\"blocked\":%s}",
			(unsigned long long)s->old, (unsigned long long)s->val,
			s->wrote ? "true" : "false",
			s->blocked ? "true" : "false");
	}
	fputc(']', to);
	free(number);
}

/* The bound, or null: there was none; what was random. */
static void some(FILE *to, const struct report *how,
		 const struct explore_result *r)
{
	const struct explore_options *s = how->some;

	if (s && s->some == SOME_BOUND)
		fprintf(to, ",\"bound\":%u", r->preemptions);
	else
		fputs(",\"bound\":null", to);
	if (s && s->some >= SOME_RANDOM)
		fprintf(to, ",\"random\":%llu,\"seed\":%llu",
			(unsigned long long)s->schedules,
			(unsigned long long)s->seed);
	if (s && s->some == SOME_PCT)
		fprintf(to, ",\"pct\":%u", s->depth);
}

void report_json(FILE *to, const struct report *how,
		 const struct explore_result *r)
{
	static const char *const verdicts[] = {
		[EXPLORE_HOLDS] = "holds",
		[EXPLORE_VIOLATED] = "violated",
		[EXPLORE_UNDECIDED] = "undecided",
		[EXPLORE_REFUSED] = "undecided",
	};
	bool found = r->finding != FIND_NONE;

	fprintf(to, "{\"schema\":\"trapline/1\"");
	member(to, "name", how->name);
	member(to, "verdict", verdicts[r->verdict]);
	member(to, "finding", found ? report_kind(r->finding) : NULL);
	member(to, "message", found ? r->message : NULL);
	if (found && r->file) {
		member(to, "file", names_path(r->file));
		fprintf(to, ",\"line\":%d", r->line);
	}
	member(to, "note", how->note);
	fprintf(to, ",\"executions\":%llu,\"blocked\":%llu,\"threads\":%d",
		(unsigned long long)r->executions,
		(unsigned long long)r->blocked, r->threads);
	if (r->events)
		fprintf(to, ",\"events\":%llu", (unsigned long long)r->events);
	member(to, "memory", report_memory(how->memory));
	if (how->memory == MEMORY_LKMM && !how->replay)
		member(to, "deps", report_deps(how->deps));
	some(to, how, r);
	if (r->fewest != FEWEST_UNASKED)
		fprintf(to, ",\"preemptions\":%u,\"fewest\":%s", r->preemptions,
			r->fewest == FEWEST_THESE ? "true" : "false");
	if (r->verdict == EXPLORE_VIOLATED)
		steps(to, r);
	member(to, "schedule", how->schedule);
	member(to, "replay", how->command);
	fprintf(to, ",\"races\":%zu", r->nr_races);
	if (r->nr_races)
		report_races_json(to, r);
	report_cover_json(to, how, r);
	fprintf(to, ",\"seconds\":%.6f}\n", r->seconds);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_races.c - the data races of a search: what, and where in the code.
 */
#include "report.h"

#include "names.h"

#include <stdlib.h>
#include <string.h>

static void write_stack(FILE *to, const struct explore_racer *by, int indent)
{
	struct explore_step step = { .thread = by->thread,
				     .pc = by->pc,
				     .depth = by->depth };

	memcpy(step.stack, by->stack, sizeof(step.stack));
	names_stack(to, &step, indent);
}

static void racer(FILE *to, const struct explore_racer *by)
{
	fprintf(to, "    %s %s by %s\n", by->plain ? "plain" : "marked",
		by->write ? "write" : "read", by->name ? by->name : "?");
	write_stack(to, by, 8);
}

void report_races(FILE *to, const struct explore_result *r)
{
	if (!r->nr_races)
		return;
	fprintf(to, "races: %zu\n", r->nr_races);
	for (size_t i = 0; i < r->nr_races; i++) {
		const struct explore_race *race = &r->races[i];

		fprintf(to, "  %s, %u byte%s\n", race->what ? race->what : "?",
			race->size, race->size == 1 ? "" : "s");
		racer(to, &race->by[0]);
		racer(to, &race->by[1]);
	}
}

/* Each line of the stack is a string, innermost first. */
static void stack_json(FILE *to, const struct explore_racer *by)
{
	char *text, *line, *rest;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	write_stack(f, by, 0);
	fclose(f);
	fputs(",\"stack\":[", to);
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (line != text)
			fputc(',', to);
		report_json_string(to, line);
	}
	fputc(']', to);
	free(text);
}

void report_races_json(FILE *to, const struct explore_result *r)
{
	fputs(",\"race_list\":[", to);
	for (size_t i = 0; i < r->nr_races; i++) {
		const struct explore_race *race = &r->races[i];

		fprintf(to, "%s{\"object\":", i ? "," : "");
		report_json_string(to, race->what ? race->what : "?");
		fprintf(to, ",\"size\":%u,\"by\":[", race->size);
		for (int k = 0; k < 2; k++) {
			const struct explore_racer *by = &race->by[k];

			fprintf(to, "%s{\"thread\":", k ? "," : "");
			report_json_string(to, by->name ? by->name : "?");
			fprintf(to, ",\"access\":\"%s %s\"",
				by->plain ? "plain" : "marked",
				by->write ? "write" : "read");
			stack_json(to, by);
			fputc('}', to);
		}
		fputs("]}", to);
	}
	fputc(']', to);
}

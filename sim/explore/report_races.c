// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_races.c - the data races of a search: what, and where in the code.
 */
#include "report.h"

#include "names.h"

static void racer(FILE *to, const struct explore_racer *by)
{
	struct explore_step step = { .thread = by->thread, .pc = by->pc };

	fprintf(to, "    %s %s by %s\n", by->plain ? "plain" : "marked",
		by->write ? "write" : "read", explore_thread_name(by->thread));
	names_stack(to, &step, 8);
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

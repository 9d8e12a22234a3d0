// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - the table of `bench live`, or one JSON object.
 *
 * A ratio is told of the minima, which a busy machine disturbs least, and of the
 * medians.
 */
#include "report.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "rows.h"

static const struct {
	const char *title, *key;
} contenders[NR_CONTENDERS] = {
	[TRAPLINE] = { "trapline", "trapline" },
	[SAME_CALLS] = { "same calls", "same_calls" },
	[MINIMAL] = { "minimal", "minimal" },
	[GDB] = { "gdb", "gdb" },
};

/* Times that trapline may take of each contender's; gdb's is the row's. */
static double reach(const struct row *row, enum contender who)
{
	return who == SAME_CALLS ? 1.15
	       : who == MINIMAL	 ? 1.6
	       : row->gdb_reach	 ? 1 / row->gdb_reach
				 : 0;
}

/* ---- for people ----------------------------------------------------------------- */

static void put_times(struct row *row, enum contender who)
{
	struct series *s = &row->times[who];

	if (s->nr)
		printf("  %8.0f %8.0f", series_min(s), series_median(s));
	else
		printf("  %8s %8s", "-", "-");
}

static void put_ratio(struct row *row, enum contender who)
{
	struct series *ours = &row->times[TRAPLINE], *s = &row->times[who];
	double min, median, limit = reach(row, who);

	if (!s->nr || !limit)
		return;
	min = series_min(ours) / series_min(s);
	median = series_median(ours) / series_median(s);
	if (who == GDB)
		printf("    gdb: %.1f times as many hits a second (medians "
		       "%.1f); to reach: %.0f%s\n",
		       1 / min, 1 / median, 1 / limit,
		       min <= limit ? "" : ", MISSED");
	else
		printf("    %s: %.2f times its time (medians %.2f); to reach: "
		       "%.2f%s\n",
		       contenders[who].title, min, median, limit,
		       min <= limit ? "" : ", MISSED");
}

void report_text(int core)
{
	char text[1024];
	unsigned int i;
	int who;

	printf("ns per hit, minimum and median of %u bursts; all on core %d of "
	       "%s, Linux %s\n\n",
	       rows[0].times[TRAPLINE].nr, core, host_processor(),
	       host_kernel());
	printf("%-22s", "");
	for (who = 0; who < NR_CONTENDERS; who++)
		printf("  %17s", contenders[who].title);
	putchar('\n');
	for (i = 0; i < nr_rows; i++) {
		printf("%-22s", rows[i].name);
		for (who = 0; who < NR_CONTENDERS; who++)
			put_times(&rows[i], who);
		putchar('\n');
	}
	for (i = 0; i < nr_rows; i++) {
		if (!rows[i].minimal)
			continue;
		printf("\n%s\n", rows[i].name);
		for (who = SAME_CALLS; who < NR_CONTENDERS; who++)
			put_ratio(&rows[i], who);
		printf("    trapline's calls: %s\n",
		       recipe_text(&rows[i].same, text, sizeof(text)));
		printf("    minimal: %s\n", rows[i].minimal);
	}
}

/* ---- for programs ------------------------------------------------------------------- */

static json_t *row_json(struct row *row)
{
	json_t *o = json_pack("{s:s}", "name", row->name);
	struct series *s;
	char text[1024];
	int who;

	for (who = 0; who < NR_CONTENDERS; who++) {
		s = &row->times[who];
		if (!s->nr)
			continue;
		json_object_set_new(o, contenders[who].key,
				    json_pack("{s:f,s:f,s:i}", "min_ns",
					      series_min(s), "median_ns",
					      series_median(s), "bursts",
					      (int)s->nr));
	}
	if (row->minimal) {
		json_object_set_new(o, "calls",
				    json_string(recipe_text(&row->same, text,
							    sizeof(text))));
		json_object_set_new(o, "minimal_calls",
				    json_string(row->minimal));
	}
	return o;
}

void report_json(int core)
{
	json_t *all = json_pack("{s:s,s:s,s:i,s:[]}", "processor",
				host_processor(), "kernel", host_kernel(),
				"core", core, "rows");
	unsigned int i;

	for (i = 0; i < nr_rows; i++)
		json_array_append_new(json_object_get(all, "rows"),
				      row_json(&rows[i]));
	json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
	putchar('\n');
	json_decref(all);
}

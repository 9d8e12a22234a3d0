// SPDX-License-Identifier: GPL-2.0-only
/*
 * live.c - bench live: what a hit costs, beside bare loops of system calls and
 * beside gdb.
 *
 * Everything runs on one core, so that no hit waits for another to wake up, and,
 * if that is allowed, before anybody else. The contenders take turns, round by
 * round, so that a busy moment of the machine meets them all.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "options.h"
#include "report.h"
#include "rows.h"

/* A burst is short: some find the machine idle, however busy it is. */
#define BURSTS 40
#define CALLS 100
#define CALLS_GDB 20 /* it takes so much longer */

static void __attribute__((noreturn))
die(const char *row, const char *who, const char *why)
{
	fprintf(stderr, "bench live: %s, %s: %s\n", row, who, why);
	exit(1);
}

static bool have_gdb(void)
{
	struct series none = { .nr = 0 };

	return !series_run(&none, (char *[]){ "gdb", "--version", NULL });
}

/* ---- one turn of each ------------------------------------------------------------ */

static void run_program(struct row *row, enum contender who, const char *name,
			char *const argv[])
{
	struct series *s = &row->times[who];
	unsigned int before = s->nr;

	if (series_run(s, argv) || s->nr != before + BURSTS)
		die(row->name, name, "did not run the loop to its end");
}

static void run_yardstick(struct row *row, enum contender who, const char *name,
			  const struct recipe *recipe)
{
	const char *why;
	int out[2];

	if (pipe2(out, O_CLOEXEC))
		die(row->name, name, "no pipe");
	/* A burst's line is short: all fit into the pipe. */
	if (yardstick_run(row->hit, recipe, BURSTS, CALLS, out[1], &why))
		die(row->name, name, why);
	close(out[1]);
	series_read(&row->times[who], out[0]);
}

static void run_row(struct row *row, bool gdb)
{
	struct recipe minimal;

	run_program(row, TRAPLINE, "trapline",
		    row_trapline(row, BURSTS, CALLS));
	if (row->minimal) {
		recipe_parse(row->minimal, &minimal);
		run_yardstick(row, SAME_CALLS, "the same calls", &row->same);
		run_yardstick(row, MINIMAL, "the minimal calls", &minimal);
	}
	if (gdb && row->gdb_reach)
		run_program(row, GDB, "gdb", row_gdb(row, BURSTS, CALLS_GDB));
}

int main(int argc, char **argv)
{
	struct options o = { .rounds = 8, .most = SERIES_MAX / BURSTS };
	unsigned int i, round;
	const char *why;
	bool gdb;
	int core;

	options_parse(&o, "Measure what a hit of a probe costs.", argc, argv);
	core = host_pin();
	if (core < 0)
		die("all rows", "start", "cannot choose a core");
	if (!host_before_others())
		fprintf(stderr,
			"no real-time priority: other programs disturb, "
			"only minima are comparable\n");
	gdb = have_gdb();
	if (!gdb)
		fprintf(stderr, "gdb is not installed: not measured\n");
	for (i = 0; i < nr_rows; i++)
		if (rows[i].minimal && row_record(&rows[i], &why))
			die(rows[i].name, "recording", why);
	for (round = 0; round < o.rounds; round++)
		for (i = 0; i < nr_rows; i++)
			run_row(&rows[i], gdb);
	unlink(OUTPUT_PATH);
	if (o.json)
		report_json(core);
	else
		report_text(core);
	return 0;
}

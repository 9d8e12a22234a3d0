// SPDX-License-Identifier: GPL-2.0-only
/*
 * progress.c - how far a search has come, on stderr.
 */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define EARLIEST \
	0.001 /* share of a search before which an estimate is a guess */

static double shown; /* seconds into the search, when it was last shown */

static void put_left(double seconds)
{
	if (seconds < 100)
		fprintf(stderr, "%.0f s", seconds);
	else if (seconds < 6000)
		fprintf(stderr, "%.0f min", seconds / 60);
	else if (seconds < 360000)
		fprintf(stderr, "%.0f h", seconds / 3600);
	else
		fputs("days", stderr);
}

static void put(const struct explore_result *sofar)
{
	double done = sofar->done;

	fprintf(stderr, "%llu executions, %.0f per second",
		(unsigned long long)sofar->executions,
		sofar->executions / sofar->seconds);
	if (done < EARLIEST || done > 1)
		return;
	fprintf(stderr, ", estimate: %.*f %% done, ", done < 0.1 ? 1 : 0,
		100 * done);
	put_left(sofar->seconds * (1 - done) / done);
	fputs(" left", stderr);
}

void progress_show(enum progress how, const struct explore_result *sofar)
{
	bool line = how == PROGRESS_PLAIN;

	if (sofar->seconds - shown < (line ? 1 : 0.2) || how == PROGRESS_NONE ||
	    (!line && !isatty(STDERR_FILENO)))
		return;
	shown = sofar->seconds;
	fputs(line ? "progress: " : "\r\033[K", stderr);
	put(sofar);
	if (line)
		fputc('\n', stderr);
}

void progress_end(enum progress how)
{
	if (shown > 0 && how == PROGRESS_AUTO)
		fputs("\r\033[K", stderr);
}

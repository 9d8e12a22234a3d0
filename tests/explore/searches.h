/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * searches.h - searches whose result must not depend on who does them: for the tests
 * of several processes and of shards.
 */
#ifndef TESTS_EXPLORE_SEARCHES_H
#define TESTS_EXPLORE_SEARCHES_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define EXPLORE "cd " PROGRAMS " && timeout 100 " TRAPLINE " explore "

/* What it printed, without the line `time:`; then the schedule, if there is one. */
static char *run(int *status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static char *run(int *status, const char *format, ...)
{
	char command[1024], line[4096], *text;
	size_t len;
	FILE *p, *to = open_memstream(&text, &len);
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);
	p = popen(command, "r");
	ck_assert(p && to);
	while (fgets(line, sizeof(line), p))
		if (strncmp(line, "time:", 5))
			fputs(line, to);
	fclose(to);
	*status = WEXITSTATUS(pclose(p));
	return text;
}

static void has(const char *text, const char *what)
{
	ck_assert_msg(strstr(text, what), "no \"%s\" in:\n%s", what, text);
}

struct row {
	const char *arguments, *say;
	int status;
};

static const struct row rows[] = {
	{ "fib.c -DN=5 --memory tso", "holds in all 19404 executions", 0 },
	{ "treiber.c -DNT=3 -DK=2", "holds in all 38187 executions", 0 },
	{ "late.c -DNT=8", "holds in all 40320 executions", 0 },
	/* more is shared, and there is a thread that had no number */
	{ "late.c -DNT=8 -DSHARED --cover",
	  "holds in all 40321 executions (10 threads", 0 },
	/* one is found by who searches first, one by nobody until the end */
	{ "late.c -DNT=8 -DRACE", "plain write by thread9", 0 },
	{ "late.c -DNT=8 -DRACE --races fail", "FAIL  data-race", 1 },
	{ "late.c -DNT=8 -DFAIL --cover", "found after 40319 executions", 1 },
	/* two workers find one each; the first in order counts */
	{ "late.c -DNT=8 -DFAIL -DTWICE", "found after 33840 executions", 1 },
	{ "lock_order.c", "FAIL  lock-order", 1 },
	/* exactly so many */
	{ "fib.c -DN=6 --budget 20001", "after 20001 executions", 3 },
	/* long ones, last */
	{ "fib.c -DN=6 --memory tso", "holds in all 226512 executions", 0 },
	{ "fib.c -DN=5 --memory lkmm", "holds in all 19404 executions", 0 },
	{ "lastzero.c -DN=14", "holds in all 69632 executions", 0 },
};

#define NR_ROWS (sizeof(rows) / sizeof(*rows))
#define NR_LONG 3

#endif /* TESTS_EXPLORE_SEARCHES_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_jobs.c - a search by several processes prints what one prints, and writes the
 * same schedule; if it is cut short it says what was covered.
 */
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

START_TEST(same_as_one)
{
	const struct row *r = &rows[_i];
	char schedule[] = "/tmp/jobs-XXXXXX";
	int fd = mkstemp(schedule), status;
	char *text[2];

	ck_assert_int_ge(fd, 0);
	for (int j = 1; j <= 2; j++) {
		text[j - 1] = run(&status,
				  EXPLORE "%s --schedule-out %s -j %d 2>&1; "
					  "s=$?; cat %s; : >%s; exit $s",
				  r->arguments, schedule, j, schedule,
				  schedule);
		ck_assert_msg(status == r->status, "%s: status %d:\n%s",
			      r->arguments, status, text[j - 1]);
		has(text[j - 1], r->say);
	}
	ck_assert_str_eq(text[0], text[1]);
	free(text[0]);
	free(text[1]);
	remove(schedule);
}
END_TEST

START_TEST(time_is_over)
{
	unsigned long long n = 0;
	int status;
	char *text = run(&status, EXPLORE "fib.c -DN=9 -j 3 --budget 1s 2>&1");

	ck_assert_int_eq(status, 3);
	ck_assert_int_eq(
		sscanf(text, "UNDECIDED  fib: budget spent after %llu", &n), 1);
	/* what the workers did counts, too: the first moment is not all */
	ck_assert_msg(n > 1000, "%s", text);
	free(text);
}
END_TEST

/* The pipe is closed, so nobody is left who works. */
START_TEST(interrupted)
{
	int status;
	char *text = run(&status,
			 "cd " PROGRAMS " && timeout -s INT 1 " TRAPLINE
			 " explore fib.c -DN=9 -j 3 2>&1");

	has(text, "UNDECIDED  fib: ");
	has(text, "interrupted");
	free(text);
}
END_TEST

START_TEST(not_a_number)
{
	int status;
	char *text = run(&status, EXPLORE "fib.c -j 0 2>&1");

	ck_assert_int_eq(status, 2);
	has(text, "expected a number of processes, 1 to 1000");
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("jobs");
	TCase *c = tcase_create("jobs");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_set_timeout(c, 300);
	tcase_add_loop_test(c, same_as_one, 0,
			    getenv("TRAPLINE_FULL") ? NR_ROWS
						    : NR_ROWS - NR_LONG);
	tcase_add_test(c, time_is_over);
	tcase_add_test(c, interrupted);
	tcase_add_test(c, not_a_number);
	suite_add_tcase(s, c);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

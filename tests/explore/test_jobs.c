// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_jobs.c - a search by several processes prints what one prints, and writes the
 * same schedule; if it is cut short it says what was covered.
 */
#include "searches.h"
#include "../suite.h"

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

	tcase_set_timeout(c, 300);
	tcase_add_loop_test(c, same_as_one, 0,
			    getenv("TRAPLINE_FULL") ? NR_ROWS
						    : NR_ROWS - NR_LONG);
	tcase_add_test(c, time_is_over);
	tcase_add_test(c, interrupted);
	tcase_add_test(c, not_a_number);
	suite_add_tcase(s, c);
	return suite_run(s, CK_FORK_GETENV);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_subjects.c - lock-free code that people know, in subjects/: with the mistake
 * that each is known for (-DBROKEN) it is found, without it the subject is proved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../suite.h"
#include "command.h"

static const char *const memories[] = { "sc", "tso", "lkmm" };

static const struct row {
	const char *subject;
	int executions[3]; /* without the mistake, by memory */
	const char *found; /* what the mistake is called */
	int from;	   /* the first memory that shows it */
} rows[] = {
	{ "treiber", { 22, 22, 22 }, "assert", 0 },
	{ "seqlock", { 15, 15, 15 }, "assert", 0 },
	/* NT! */
	{ "ticket", { 6, 6, 6 }, "livelock", 0 },
	{ "mcs", { 6, 6, 6 }, "livelock", 0 },
	{ "ring", { 9, 9, 9 }, "assert", 2 },
	{ "rcu_list", { 2, 2, 2 }, "use-after-free", 0 },
};

static char schedule[] = "/tmp/subjects-XXXXXX";

/* The last line is an object. */
static json_t *explore(const char *subject, const char *define,
		       const char *memory)
{
	command(TRAPLINE " explore " SUBJECTS "/%s.c %s --memory %s "
			 "--format json --schedule-out %s 2>&1",
		subject, define, memory, schedule);
	return last_line();
}

static const char *member(const json_t *j, const char *key)
{
	const char *s = json_string_value(json_object_get(j, key));

	return s ? s : "";
}

/* What was found last, and nothing before it. */
static int replay(void)
{
	return command("test -s %s && " TRAPLINE
		       " replay %s >/dev/null && : >%s",
		       schedule, schedule, schedule);
}

START_TEST(proved)
{
	const struct row *r = &rows[_i];

	for (int m = 0; m < 3; m++) {
		json_t *j = explore(r->subject, "", memories[m]);

		ck_assert_msg(!strcmp(member(j, "verdict"), "holds"),
			      "%s under %s: %s", r->subject, memories[m],
			      output);
		ck_assert_int_eq(
			json_integer_value(json_object_get(j, "executions")),
			r->executions[m]);
		json_decref(j);
	}
}
END_TEST

START_TEST(found)
{
	const struct row *r = &rows[_i];

	for (int m = 0; m < 3; m++) {
		json_t *j = explore(r->subject, "-DBROKEN", memories[m]);

		ck_assert_msg(!strcmp(member(j, "verdict"),
				      m < r->from ? "holds" : "violated"),
			      "%s under %s: %s", r->subject, memories[m],
			      output);
		if (m >= r->from) {
			ck_assert_str_eq(member(j, "finding"), r->found);
			ck_assert_msg(replay() == 0, "%s under %s: no replay",
				      r->subject, memories[m]);
		}
		json_decref(j);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("subjects");
	TCase *tc = tcase_create("subjects");
	int failed, n = sizeof(rows) / sizeof(*rows);
	int fd = mkstemp(schedule);

	if (fd < 0)
		return 1;
	close(fd);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, proved, 0, n);
	tcase_add_loop_test(tc, found, 0, n);
	suite_add_tcase(s, tc);
	failed = suite_run(s, CK_FORK_GETENV);
	unlink(schedule);
	return failed;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_subjects.c - lock-free code that people know, in subjects/: with the mistake
 * that each is known for (-DBROKEN) it is found, without it the subject is proved.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../suite.h"

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

static char output[1 << 20];
static char schedule[] = "/tmp/subjects-XXXXXX";

/* The last line is an object. */
static json_t *explore(const char *subject, const char *define,
		       const char *memory)
{
	char command[512];
	const char *line;
	json_t *j;
	FILE *p;
	size_t n;

	snprintf(command, sizeof(command),
		 TRAPLINE " explore " SUBJECTS "/%s.c %s --memory %s "
			  "--format json --schedule-out %s 2>&1",
		 subject, define, memory, schedule);
	p = popen(command, "r");
	ck_assert_ptr_nonnull(p);
	n = fread(output, 1, sizeof(output) - 1, p);
	pclose(p);
	while (n && output[n - 1] == '\n')
		n--;
	output[n] = '\0';
	line = strrchr(output, '\n');
	j = json_loads(line ? line + 1 : output, 0, NULL);
	ck_assert_msg(j != NULL, "not JSON: %s", output);
	return j;
}

static const char *member(const json_t *j, const char *key)
{
	const char *s = json_string_value(json_object_get(j, key));

	return s ? s : "";
}

/* What was found last, and nothing before it. */
static int replay(void)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "test -s %s && " TRAPLINE " replay %s >/dev/null && : >%s",
		 schedule, schedule, schedule);
	return system(command);
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

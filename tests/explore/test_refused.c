// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_refused.c - what the explorer cannot follow is refused: exit status 2, one
 * sentence that names it, and for who reads JSON an object that says the same. The
 * neighbours that it can follow are not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite.h"
#include "command.h"

static const struct row {
	const char *program, *defines;
	const char *says; /* NULL: holds */
} rows[] = {
	{ "refused", "", NULL },
	{ "refused", "-DFORK", "'fork'" },
	{ "refused", "-DSTRDUP", "'strdup'" },
	{ "refused", "-DTHREADS", "'thrd_create'" },
	{ "refused", "-DTLS", "'mine' is thread-local" },
	{ "refused", "-DEXIT", "exit(3)" },
	{ "refused", "-DASM", "refused.c:26: inline assembly" },
	{ "refused", "-DATOMIC16", "an atomic access to 16 bytes" },
	{ "refused", "-DHUGE_OBJECT", "16000000 bytes are allocated" },
	{ "refused", "-DIMPLICIT", "does not compile" },
	{ "refused", "-DSYNTAX", "does not compile" },
	{ "mutex_kinds", "-DSTRANGE", "neither normal, recursive nor" },
	{ "refused_kernel", "", NULL },
	{ "refused_kernel", "-DBARRIER", NULL },
	{ "refused_kernel", "-DSECTIONS=64", NULL },
	{ "refused_kernel", "-DSECTIONS=65",
	  "an execution does not end, or has more than 64 read sections of "
	  "rcu" },
	{ "refused_kernel", "-DMALLOC", "'malloc'" },
	{ "refused_kernel", "-DFORK", "'fork'" },
	{ "refused_kernel", "-DASM", "refused_kernel.c:34: inline assembly" },
	{ "refused_kernel", "-DTOP", "inline assembly" },
	{ "refused_kernel", "-DIMPLICIT", "does not compile" },
	{ "refused_kernel", "-DIN_SETUP", "BUG in set-up: shared" },
	{ "refused_kernel", "-DWILD", "set-up crashes" },
};

static int run(const struct row *r, const char *end)
{
	return command("cd " PROGRAMS " && " TRAPLINE " explore %s.c %s %s",
		       r->program, r->defines, end);
}

/* On stdout there is the object and nothing else. */
START_TEST(object)
{
	const struct row *r = &rows[_i];
	int status = run(r, "--format json 2>/dev/null");
	json_t *j = json_loads(output, 0, NULL);

	ck_assert_msg(j != NULL, "not JSON: %s", output);
	ck_assert_int_eq(status, r->says ? 2 : 0);
	ck_assert_str_eq(json_string_value(json_object_get(j, "verdict")),
			 r->says ? "undecided" : "holds");
	if (r->says)
		ck_assert_msg(
			strstr(json_string_value(json_object_get(j, "message")),
			       r->says) != NULL,
			"%s", output);
	json_decref(j);
}
END_TEST

START_TEST(sentence)
{
	const struct row *r = &rows[_i];

	ck_assert_int_eq(run(r, "2>&1"), r->says ? 2 : 0);
	if (r->says)
		ck_assert_msg(strstr(output, r->says) != NULL, "%s", output);
	if (strstr(r->defines, "IMPLICIT"))
		ck_assert_msg(strstr(output, "undeclared") != NULL, "%s",
			      output);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("refused");
	TCase *tc = tcase_create("programs");
	int n = sizeof(rows) / sizeof(*rows);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, object, 0, n);
	tcase_add_loop_test(tc, sentence, 0, n);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}

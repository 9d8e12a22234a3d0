// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_programs.c - the distribution's own programs, with entry and return
 * probes on functions that they call all the time: what they write and how they
 * end must be as without.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static const char *const functions[] = {
	"malloc", "free",   "calloc", "realloc", "strlen", "memcpy",
	"memset", "strcmp", "read",   "write",	 "open64", "getenv",
	"qsort",  "fclose", "printf", "mmap",
};

static const char *const programs[] = {
	"exec ls -l /usr/sbin",
	"exec python3 -S -c \"import json, re, sys; "
	"print(json.dumps({'a': [1, 2]}), len(sys.modules) > 10); "
	"sys.exit(3)\"",
	"exec git --no-pager log --oneline -20",
	"exec sort -r /etc/services",
	"sh -c 'ls / | wc -l; exit 5'",
	"exec env A=b sh -c 'exec cat /etc/passwd'",
};

static const char *const ways[] = { "--step=auto", "--step=hw" };

static void words_of(struct words *w, const char *command)
{
	add_word(w, "sh");
	add_word(w, "-c");
	add_word(w, "%s", command);
}

START_TEST(is_not_changed)
{
	const char *command = programs[_i / 2];
	struct words plain = { 0 }, traced;
	struct run a, b;
	json_t *sum;
	unsigned int i;

	words_of(&plain, command);
	run(&a, &plain, NULL);
	ck_assert_int_ne(a.code, 127);

	trace_words(&traced, "-c", ways[_i % 2], NULL);
	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		add_word(&traced, "-e");
		add_word(&traced, "p:libc.so.6:%s", functions[i]);
		add_word(&traced, "-e");
		add_word(&traced, "r:libc.so.6:%s", functions[i]);
	}
	add_word(&traced, "--");
	words_of(&traced, command);
	run(&b, &traced, NULL);

	ck_assert_int_eq(a.code, b.code);
	ck_assert_str_eq(a.out, b.out);
	sum = summary();
	/* A shell in an empty environment comes to about 40. */
	ck_assert_int_gt(number_of(sum, "hits"), 20);
	ck_assert_int_gt(number_of(sum, "returns"), 20);
	ck_assert_int_gt(count_of(sum, "malloc", "hits"), 5);
	ck_assert_int_eq(count_of(sum, "malloc", "hits"),
			 count_of(sum, "malloc", "returns"));
	json_decref(sum);
	run_free(&a);
	run_free(&b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("programs");
	TCase *tc = tcase_create("same");

	if (chdir(SOURCE_DIR)) /* for git */
		return 1;
	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, is_not_changed, 0,
			    2 * sizeof(programs) / sizeof(*programs));
	suite_add_tcase(s, tc);
	return run_suite(s);
}

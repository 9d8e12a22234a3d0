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

/* ---- everything at once --------------------------------------------------------- */

#define MAX_FUNCTIONS 4000
#define MAX_REFUSED 40

static char *function[MAX_FUNCTIONS];
static unsigned int nr_functions;

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_functions(void)
{
	char name[256], type[2];
	FILE *nm = popen("nm -D --defined-only --without-symbol-versions "
			 "$(ldd /bin/ls | awk '/libc.so.6/ { print $3 }')",
			 "r");
	unsigned int i, n = 0;

	ck_assert_ptr_nonnull(nm);
	while (fscanf(nm, "%*s %1s %255s", type, name) == 2) {
		if (!strchr("TtWi", *type))
			continue;
		ck_assert_uint_lt(nr_functions, MAX_FUNCTIONS);
		function[nr_functions++] = strdup(name);
	}
	ck_assert_int_eq(pclose(nm), 0);
	qsort(function, nr_functions, sizeof(*function), by_name);
	for (i = 0; i < nr_functions; i++)
		if (!n || strcmp(function[i], function[n - 1]))
			function[n++] = function[i];
	nr_functions = n;
	ck_assert_uint_gt(n, 1500);
}

/* One probe was refused: forget it. The name stands in the first line. */
static void forget(const char *message)
{
	char name[256];
	unsigned int i;

	message = strstr(message, "error: ");
	ck_assert_ptr_nonnull(message);
	ck_assert_int_eq(sscanf(message, "error: %*c:libc.so.6:%255s", name),
			 1);
	for (i = 0; i < nr_functions && strcmp(function[i], name);)
		i++;
	ck_assert_uint_lt(i, nr_functions);
	function[i] = function[--nr_functions];
}

static const char *const busy_programs[] = {
	"ls -l /usr/sbin",
	"for i in 1 2 3; do echo $i | cat; done; ls / | sort -r | head -3; "
	"[ -n \"$(date)\" ] && exit 3",
};

/*
 * Every function of libc's dynamic symbol table, but those that a rule names
 * (the message says which): the program must not notice.
 */
START_TEST(survives_everything)
{
	char kind = _i % 2 ? 'r' : 'p';
	struct words plain = { 0 }, traced;
	struct run a, b;
	unsigned int i, refused = 0;
	json_t *sum;

	add_word(&plain, "bash");
	add_word(&plain, "-c");
	add_word(&plain, "%s", busy_programs[_i / 2]);
	run(&a, &plain, NULL);
	read_functions();
	for (;;) {
		trace_words(&traced, "-c", NULL);
		for (i = 0; i < nr_functions; i++)
			add_word(&traced, "-e%c:libc.so.6:%s", kind,
				 function[i]);
		add_word(&traced, "--");
		for (i = 0; i < plain.n; i++)
			add_word(&traced, "%s", plain.word[i]);
		run(&b, &traced, NULL);
		if (b.code != 125)
			break;
		ck_assert_msg(++refused <= MAX_REFUSED, "%s", b.err);
		forget(b.err);
		run_free(&b);
		words_free(&traced);
	}
	ck_assert_int_eq(a.code, b.code);
	ck_assert_str_eq(a.out, b.out);
	sum = summary();
	ck_assert_int_gt(number_of(sum, "hits") + number_of(sum, "returns"),
			 5000);
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
	tcase_add_loop_test(tc, survives_everything, 0,
			    2 * sizeof(busy_programs) / sizeof(*busy_programs));
	suite_add_tcase(s, tc);
	return run_suite(s);
}

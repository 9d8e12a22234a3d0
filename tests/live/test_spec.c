// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_spec.c - probe specifications: what they mean, and where they are wrong.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

static const struct good {
	const char *text;
	bool ret;
	const char *event, *path, *symbol;
	unsigned long offset;
} good[] = {
	{ "p:libc.so.6:malloc", false, "", "libc.so.6", "malloc", 0 },
	{ "r:/bin/ls:main", true, "", "/bin/ls", "main", 0 },
	{ "p:./a:f+0x10", false, "", "./a", "f", 16 },
	{ "p:./a:f+7", false, "", "./a", "f", 7 },
	{ "p:./a:0x1139", false, "", "./a", "", 0x1139 },
	{ "p:./a:b:f", false, "", "./a:b", "f", 0 },
	{ "p:./a:operator+", false, "", "./a", NULL, 0 },
	{ "p:./a:a+b+4", false, "", "./a", "a+b", 4 },
	{ "p ./a:f", false, "", "./a", "f", 0 },
	{ "p:ev ./a:f+4", false, "ev", "./a", "f", 4 },
	{ "r:grp/ev ./a:0x20", true, "ev", "./a", "", 0x20 },
	{ "p:ev  ./a:f%return", true, "ev", "./a", "f", 0 },
	{ "uprobe:./a:f", false, "", "./a", "f", 0 },
	{ "uretprobe:./a:f", true, "", "./a", "f", 0 },
	{ "u:./a:f+1", false, "", "./a", "f", 1 },
	{ "ur:./a:f", true, "", "./a", "f", 0 },
};

START_TEST(accepts)
{
	const struct good *g = &good[_i];
	struct spec_error e;
	struct spec s;

	if (!g->symbol) { /* a plus sign promises a number */
		ck_assert_int_eq(spec_parse(g->text, &s, &e), -EINVAL);
		return;
	}
	ck_assert_int_eq(spec_parse(g->text, &s, &e), 0);
	ck_assert_int_eq(s.ret, g->ret);
	ck_assert_str_eq(s.event, g->event);
	ck_assert_str_eq(s.path, g->path);
	ck_assert_str_eq(s.symbol, g->symbol);
	ck_assert_uint_eq(s.offset, g->offset);
	ck_assert(!strncmp(g->text + s.in_path.at, g->path, s.in_path.len));
}
END_TEST

static const struct bad {
	const char *text;
	unsigned int at;
	const char *says;
} bad[] = {
	{ "", 0, "starts with p:" },
	{ "x:./a:f", 0, "starts with p:" },
	{ "p", 0, "starts with p:" },
	{ "p:", 2, "expected PATH:SYMBOL" },
	{ "p:f", 2, "expected PATH:SYMBOL" },
	{ "p::f", 2, "path is missing" },
	{ "p:./a:", 6, "missing here" },
	{ "p:./a:12x", 6, "not a number" },
	{ "p:./a:f+", 8, "not a number" },
	{ "p:./a:f+-4", 8, "not a number" },
	{ "p:./a:f+99999999999999999999", 8, "not a number" },
	{ "p:e-v ./a:f", 3, "letters" },
	{ "p:g/ ./a:f", 4, "name is missing" },
	{ "p:ev ", 5, "expected PATH:SYMBOL" },
	{ "p:ev ./a:f x=%di", 11, "arguments" },
	{ "p:ev ./a:f(0x30)", 5, "reference counters" },
};

START_TEST(points_at_the_error)
{
	const struct bad *b = &bad[_i];
	struct spec_error e;
	struct spec s;

	ck_assert_int_eq(spec_parse(b->text, &s, &e), -EINVAL);
	ck_assert_msg(strstr(e.what, b->says) != NULL, "'%s' says '%s'",
		      b->text, e.what);
	ck_assert_uint_eq(e.where.at, b->at);
	ck_assert_uint_ge(e.where.len, 1);
}
END_TEST

START_TEST(refuses_what_is_too_long)
{
	char text[SPEC_MAX + 1];
	struct spec_error e;
	struct spec s;

	memset(text, 'a', SPEC_MAX);
	memcpy(text, "p:", 2);
	text[SPEC_MAX] = '\0';
	ck_assert_int_eq(spec_parse(text, &s, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.what, "longer"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("spec");
	TCase *tc = tcase_create("syntax");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, accepts, 0, sizeof(good) / sizeof(*good));
	tcase_add_loop_test(tc, points_at_the_error, 0,
			    sizeof(bad) / sizeof(*bad));
	tcase_add_test(tc, refuses_what_is_too_long);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

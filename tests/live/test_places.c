// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_places.c - patterns, places inside instructions, stripped files, and
 * what --force does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* trace of `odd` (or a copy) with these probes; @ stands for its path. */
static void trace(struct run *r, const char *file, const char *options,
		  const char *const *spec)
{
	struct words w;
	const char *at;

	trace_words(&w, "-c", options, NULL);
	for (; *spec; spec++) {
		at = strchr(*spec, '@');
		add_word(&w, "-e");
		if (at)
			add_word(&w, "%.*s%s%s", (int)(at - *spec), *spec, file,
				 at + 1);
		else
			add_word(&w, "%s", *spec);
	}
	add_word(&w, "%s", file);
	run(r, &w, NULL);
	words_free(&w);
}

static void says(const struct run *r, const char *part)
{
	ck_assert_msg(strstr(r->err, part) != NULL, "no '%s' in '%s'", part,
		      r->err);
}

/* ---- patterns -------------------------------------------------------------------- */

START_TEST(pattern_finds_all)
{
	static const char *const spec[] = { "p:@:odd_*", "uretprobe:@:odd_?ong",
					    "p:ev @:odd_l*g x=%di", NULL };
	struct run r;
	json_t *sum;

	trace(&r, target("odd"), NULL, spec);
	ck_assert_msg(r.code == 0, "%s", r.err);
	sum = summary();
	ck_assert_int_eq(count_of(sum, "odd_long", "hits"), 1);
	ck_assert_int_eq(count_of(sum, "odd_long", "returns"), 1);
	ck_assert_int_eq(count_of(sum, "odd_syscall", "hits"), 1);
	ck_assert_int_eq(count_of(sum, "ev_odd_long", "hits"), 1);
	ck_assert_int_eq(count_of(sum, "odd_lock", "hits"), -1);
	ck_assert_int_eq(number_of(sum, "hits"), 3);
	ck_assert_int_eq(json_array_size(json_object_get(sum, "probes")), 4);
	says(&r, "leaves out 3 of 5 functions");
	says(&r, "odd_lock: a lock or segment prefix is refused");
	says(&r, "odd_ss: the instruction delays the trap");
	says(&r, "odd_ifunc: only chosen at run time");
	json_decref(sum);
	run_free(&r);
}
END_TEST

static const struct nothing {
	const char *spec, *says;
} nothings[] = {
	{ "p:@:nothing_like_this*", "no function of odd matches" },
	{ "p:@:odd_s?", "none of the functions of odd that match" },
	{ "p:@:odd_s?", "odd_ss: the instruction delays" },
	{ "p:@:odd_*+4", "leave the offset out" },
	{ "p:@:environ*", "no function of odd matches" },
};

START_TEST(pattern_finds_nothing)
{
	const char *const spec[] = { "p:@:odd_long", nothings[_i].spec, NULL };
	struct run r;

	trace(&r, target("odd"), NULL, spec);
	ck_assert_int_eq(r.code, 125);
	says(&r, nothings[_i].says);
	run_free(&r);
}
END_TEST

/* What is named alone and refused stays an error. */
START_TEST(pattern_excuses_nobody)
{
	static const char *const spec[] = { "p:@:odd_*", "p:@:odd_lock", NULL };
	struct run r;

	trace(&r, target("odd"), NULL, spec);
	ck_assert_int_eq(r.code, 125);
	says(&r, "(f0 ff 05");
	run_free(&r);
}
END_TEST

/* One probe for each place, whatever its names; the program is not disturbed. */
START_TEST(pattern_takes_all_of_libc)
{
	const char *kind = _i ? "returns" : "hits";
	unsigned long n = 0;
	json_t *sum, *p, *offsets = json_object();
	struct words w;
	struct run r;
	size_t i;

	trace_words(&w, "-c", "-e", _i ? "r:libc.so.6:*" : "p:libc.so.6:*",
		    "sh", "-c", "echo x | sort; exit 3", NULL);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 3, "%d %s", r.code, r.err);
	ck_assert_str_eq(r.out, "x\n");
	sum = summary();
	json_array_foreach(json_object_get(sum, "probes"), i, p)
	{
		n += json_integer_value(json_object_get(p, kind));
		json_object_set_new(
			offsets,
			json_string_value(json_object_get(p, "offset")),
			json_true());
	}
	ck_assert_uint_gt(i, 1500);
	ck_assert_uint_eq(json_object_size(offsets), i);
	ck_assert_uint_eq(n, number_of(sum, kind));
	ck_assert_uint_gt(n, 500);
	says(&r, "leaves out ");
	json_decref(offsets);
	json_decref(sum);
	run_free(&r);
}
END_TEST

START_TEST(pattern_has_a_limit)
{
	static const char *const spec[] = { "p:libc:*", "p:libc:*", "p:libc:*",
					    "p:libc:*", "p:libc:*", "p:libc:*",
					    "p:libc:*", "p:libc:*", "p:libc:*",
					    "p:libc:*", "p:libc:*", "p:libc:*",
					    "p:libc:*", "p:libc:*", "p:libc:*",
					    "p:libc:*", "p:libc:*", "p:libc:*",
					    "p:libc:*", "p:libc:*", NULL };
	struct run r;

	trace(&r, target("odd"), NULL, spec);
	ck_assert_int_eq(r.code, 125);
	says(&r, "more than 32768 probes; use a narrower pattern");
	run_free(&r);
}
END_TEST

/* ---- unsafe places -------------------------------------------------------------------- */

/* The first shows what the rule is for: a breakpoint becomes part of a number. */
static const struct unsafe {
	const char *spec, *says;
	int code; /* forced */
	const char *kind;
	int count;
} unsafe[] = {
	{ "p:@:odd_long+2", "inside an instruction of odd_long", 1, "hits", 0 },
	{ "r:@:odd_long+10", "this is +10 of odd_long", 0, "returns", 1 },
};

START_TEST(unsafe_needs_force)
{
	const char *const spec[] = { unsafe[_i].spec, NULL };
	struct run r;
	json_t *sum;

	trace(&r, target("odd"), NULL, spec);
	ck_assert_int_eq(r.code, 125);
	says(&r, unsafe[_i].says);
	says(&r, "or --force");
	run_free(&r);
	trace(&r, target("odd"), "--force", spec);
	ck_assert_msg(r.code == unsafe[_i].code, "%d %s", r.code, r.err);
	says(&r, "warning: ");
	says(&r, unsafe[_i].says);
	sum = summary();
	ck_assert_int_eq(number_of(sum, unsafe[_i].kind), unsafe[_i].count);
	json_decref(sum);
	run_free(&r);
}
END_TEST

/* What the processor cannot be made to do stays refused. */
START_TEST(force_is_no_magic)
{
	static const char *const spec[] = { "p:@:odd_lock", NULL };
	struct run r;

	trace(&r, target("odd"), "--force", spec);
	ck_assert_int_eq(r.code, 125);
	says(&r, "a lock or segment prefix is refused");
	run_free(&r);
}
END_TEST

/* ---- stripped files ------------------------------------------------------------------- */

static unsigned long number_from(const char *fmt, const char *file)
{
	char command[1024];
	unsigned long n;
	FILE *f;

	snprintf(command, sizeof(command), fmt, file);
	f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_msg(fscanf(f, "%lx", &n) == 1, "%s", command);
	pclose(f);
	return n;
}

static const char *stripped(void)
{
	static char path[512];
	char command[8192];

	snprintf(path, sizeof(path), "%s", temporary("stripped"));
	snprintf(command, sizeof(command), "strip -o %s %s", path,
		 target("odd"));
	ck_assert_int_eq(system(command), 0);
	return path;
}

START_TEST(stripped_by_the_unwind_table)
{
	static const struct {
		const char *probe, *from;
		int plus;
		const char *says;
	} places[] = {
		{ "p", "nm %s | grep ' main$'", 0, NULL },
		{ "r", "nm %s | grep ' main$'", 0, NULL },
		{ "p", "nm %s | grep ' main$'", 2,
		  "inside an instruction of "
		  "the function at 0x" },
		{ "r", "nm %s | grep ' main$'", 4,
		  "this is +4 of the function at 0x" },
		{ "r", "nm %s | grep ' _start$'", 0,
		  "the program begins here" },
		{ "r", "readelf -WS %s | sed -n 's/.* [.]plt *PROGBITS *//p'",
		  0, "jumped to, not called" },
	};
	const char *odd = target("odd");
	char text[64];
	const char *spec[] = { text, NULL };
	struct run r;
	unsigned long at = number_from(places[_i].from, odd) + places[_i].plus;

	snprintf(text, sizeof(text), "%s:@:0x%lx", places[_i].probe, at);
	trace(&r, stripped(), NULL, spec);
	ck_assert_msg(r.code == (places[_i].says ? 125 : 0), "%s: %s", text,
		      r.err);
	if (places[_i].says)
		says(&r, places[_i].says);
	else
		ck_assert_str_eq(r.err, "");
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("places");
	TCase *tc = tcase_create("places");

	tcase_set_timeout(tc, 70);
	tcase_add_test(tc, pattern_finds_all);
	tcase_add_loop_test(tc, pattern_finds_nothing, 0,
			    sizeof(nothings) / sizeof(*nothings));
	tcase_add_test(tc, pattern_excuses_nobody);
	tcase_add_loop_test(tc, pattern_takes_all_of_libc, 0, 2);
	tcase_add_test(tc, pattern_has_a_limit);
	tcase_add_loop_test(tc, unsafe_needs_force, 0,
			    sizeof(unsafe) / sizeof(*unsafe));
	tcase_add_test(tc, force_is_no_magic);
	tcase_add_loop_test(tc, stripped_by_the_unwind_table, 0, 6);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

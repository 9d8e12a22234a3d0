// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_fetch.c - fetch arguments: what is printed is what the target `args`
 * has in its registers, on its stack and in its memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* One argument of a probe on one function. */
static const struct value {
	char kind;
	const char *function, *fetch;
	const char *text; /* behind a= for people */
	const char *json; /* of args.a */
} values[] = {
	{ 'p', "eight", "$arg1", "0x1", "1" },
	{ 'p', "eight", "%di:u64", "1", "1" },
	{ 'p', "eight", "%rdi:s8", "1", "1" },
	{ 'p', "eight", "%si", "0xfffffffffffffffe", "\"0xfffffffffffffffe\"" },
	{ 'p', "eight", "%rsi:s64", "-2", "-2" },
	{ 'p', "eight", "$arg2:u64", "18446744073709551614",
	  "\"18446744073709551614\"" },
	{ 'p', "eight", "%esi", "0xfffffffe", "4294967294" },
	{ 'p', "eight", "%esi:s64", "4294967294", "4294967294" },
	{ 'p', "eight", "%esi:s32", "-2", "-2" },
	{ 'p', "eight", "%si:u16", "65534", "65534" },
	{ 'p', "eight", "%si:x8", "0xfe", "254" },
	{ 'p', "eight", "$arg3:u64", "9007199254740992",
	  "\"9007199254740992\"" },
	{ 'p', "eight", "$arg4:u64", "9007199254740991", "9007199254740991" },
	{ 'p', "eight", "$arg5:x32", "0x9abcdef0", "2596069104" },
	{ 'p', "eight", "%r8d:x64", "0x9abcdef0", "2596069104" },
	{ 'p', "eight", "$arg5:s16", "-8464", "-8464" },
	{ 'p', "eight", "$arg6:char", "'Q'", "\"Q\"" },
	{ 'p', "eight", "$stack1:u32", "77", "77" },
	{ 'p', "eight", "$stack2:s64", "-88", "-88" },
	{ 'p', "eight", "+16($stack):s32", "-88", "-88" },
	{ 'p', "eight", "$stack100000", "(fault)", "null" },
	{ 'p', "eight", "$comm", "\"args\"", "\"args\"" },
	{ 'p', "eight", "\\-5:s8", "-5", "-5" },
	{ 'p', "eight", "\\0", "0x0", "0" },
	{ 'p', "eight", "\\0:char", "'\\x00'", "\"\\u0000\"" },
	{ 'p', "eight", "\\200:char", "'\\xc8'", "\"\\ufffd\"" },
	{ 'p', "strings", "+0(%di):s32", "2147483647", "2147483647" },
	{ 'p', "strings", "+4(%di):u16", "300", "300" },
	{ 'p', "strings", "+6($arg1):char", "'o'", "\"o\"" },
	{ 'p', "strings", "+0(+8(%di)):string", "\"\"", "\"\"" },
	{ 'p', "strings", "+0(+16(%di)):s32", "-70000", "-70000" },
	{ 'p', "strings", "+0x4(+0x10(%di)):s16", "-2", "-2" },
	{ 'p', "strings", "+0(+8(+16(%di))):string", "\"inner name\"",
	  "\"inner name\"" },
	{ 'p', "strings", "+6(+8(+16(%di))):string", "\"name\"", "\"name\"" },
	{ 'p', "strings", "+0(+16(+16(%di))):u8", "(fault)", "null" },
	{ 'p', "strings", "+0($arg2):string", "\"edge\"", "\"edge\"" },
	{ 'p', "strings", "+0($arg2):x64", "(fault)", "null" },
	{ 'p', "strings", "-3($arg3):string", "\"ge\"", "\"ge\"" },
	{ 'p', "strings", "-3($arg3):char", "'g'", "\"g\"" },
	{ 'p', "strings", "+0($arg3):string", "(fault)", "null" },
	{ 'p', "strings", "+0(+0($arg3)):u8", "(fault)", "null" },
	{ 'p', "strings", "+0($arg4):string", "\"q\\\"b\\\\n\\n\xc3\xa9\\xff\"",
	  "\"q\\\"b\\\\n\\n\xc3\xa9\\ufffd\"" },
	{ 'r', "strings", "+0($retval):string", "\"inner name\"",
	  "\"inner name\"" },
	{ 'r', "eight", "$retval", "0x127456789abcdf34",
	  "\"0x127456789abcdf34\"" },
	{ 'r', "minus", "$retval:s32", "-5", "-5" },
	{ 'r', "minus", "%eax:x64", "0xfffffffb", "4294967291" },
};

static void spec(struct words *w, const struct value *v)
{
	add_word(w, "-e");
	add_word(w, "%c:ev %s:%s a=%s last=\\1:u8", v->kind, target("args"),
		 v->function, v->fetch);
	add_word(w, "--");
	add_word(w, "%s", target("args"));
}

START_TEST(prints_for_people)
{
	const struct value *v = &values[_i];
	struct words w = { 0 };
	char expect[256];
	struct run r;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	spec(&w, v);
	run(&r, &w, NULL);
	snprintf(expect, sizeof(expect), " a=%s last=1\n1 hits", v->text);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, expect) != NULL, "%s: expected '%s' in %s",
		      v->fetch, expect, r.err);
	ck_assert_ptr_null(strstr(r.err, " ret="));
	run_free(&r);
}
END_TEST

/* The hit of the last trace. The caller drops it. */
static json_t *first(void)
{
	FILE *f = fopen(temporary("json"), "r");
	json_error_t e;
	json_t *o;

	ck_assert_ptr_nonnull(f);
	o = json_loadf(f, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &e);
	ck_assert_msg(o != NULL, "%s", e.text);
	fclose(f);
	return o;
}

START_TEST(writes_json)
{
	const struct value *v = &values[_i];
	json_t *o, *got, *expect;
	struct words w;
	struct run r;

	trace_words(&w, NULL, NULL);
	spec(&w, v);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	o = first();
	got = json_object_get(json_object_get(o, "args"), "a");
	expect = json_loads(v->json, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	ck_assert_ptr_nonnull(expect);
	ck_assert_msg(json_equal(got, expect), "%s: %s, not %s", v->fetch,
		      json_dumps(got, JSON_ENCODE_ANY), v->json);
	ck_assert_int_eq(json_object_size(json_object_get(o, "args")), 2);
	json_decref(o);
	json_decref(expect);
	run_free(&r);
}
END_TEST

/* Its start, with a mark that there is more. */
START_TEST(cuts_long_strings)
{
	static const char more[] = "bbb\"...\n1 hits";
	struct words w = { 0 };
	const char *start;
	struct run r;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "-ep:%s:long_string +0(%%di):string", target("args"));
	add_word(&w, "%s", target("args"));
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 0);
	start = strstr(r.err, "arg1=\"");
	ck_assert_ptr_nonnull(start);
	ck_assert_uint_eq(strspn(start + 6, "b"), 4095);
	ck_assert_ptr_nonnull(strstr(start, more));
	run_free(&r);
}
END_TEST

/* In the order of the line, under the names that tracefs would give. */
START_TEST(names_what_has_no_name)
{
	static const char *const name[] = { "arg1", "x", "arg3" };
	struct words w;
	json_t *o, *v;
	const char *key;
	struct run r;
	int i = 0;

	trace_words(&w, NULL, NULL);
	add_word(&w, "-ep:%s:eight $arg1 x=$arg6:u8\t%%r9:u16", target("args"));
	add_word(&w, "%s", target("args"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	o = first();
	json_object_foreach(json_object_get(o, "args"), key, v)
	{
		ck_assert_int_lt(i, 3);
		ck_assert_str_eq(key, name[i++]);
		ck_assert_int_eq(json_integer_value(v), i == 1 ? 1 : 'Q');
	}
	ck_assert_int_eq(i, 3);
	json_decref(o);
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("fetch");
	TCase *tc = tcase_create("values");
	unsigned int n = sizeof(values) / sizeof(*values);

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, prints_for_people, 0, n);
	tcase_add_loop_test(tc, writes_json, 0, n);
	tcase_add_test(tc, cuts_long_strings);
	tcase_add_test(tc, names_what_has_no_name);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

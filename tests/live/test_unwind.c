// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_unwind.c - programs that unwind their own stack, under entry and return
 * probes on all that they call and on the unwinders themselves: they do and
 * print the same, and who survives an exception still returns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* The same source, built in several ways. */
static const char *const throws[] = { "throws-O1", "throws-O0", "throws-O2",
				      "throws-static" };

static const struct expect {
	const char *probe;
	long hits, returns;
} expect[] = {
	{ "probed_catches", 202, 202 }, { "probed_outside", 112, 112 },
	{ "probed_rethrows", 96, 48 },	{ "probed_keeps", 16, 16 },
	{ "probed_handler", 10, 10 },	{ "probed_thrower", 484, 16 },
	{ "probed_through", 2162, 0 },	{ "probed_tail1", 16, 0 },
};

/* Functions of libraries that take part in it. */
static const char *const runtime[] = {
	"libgcc_s.so.1:_Unwind_RaiseException",
	"libgcc_s.so.1:_Unwind_Resume",
	"libgcc_s.so.1:_Unwind_Resume_or_Rethrow",
	"libgcc_s.so.1:_Unwind_ForcedUnwind",
	"libgcc_s.so.1:_Unwind_Backtrace",
	"libgcc_s.so.1:_Unwind_Find_FDE",
	"libgcc_s.so.1:_Unwind_GetIP",
	"libgcc_s.so.1:_Unwind_SetIP",
	"libgcc_s.so.1:__gcc_personality_v0",
	"libc.so.6:backtrace",
	"libc.so.6:pthread_exit",
	"libc.so.6:pthread_cancel",
	"libc.so.6:longjmp",
	"libc.so.6:raise",
	"libc.so.6:malloc",
	"libc.so.6:free",
};

static const char *const runtime_cxx[] = {
	"libstdc++.so.6:__cxa_throw",	       "libstdc++.so.6:__cxa_rethrow",
	"libstdc++.so.6:__cxa_begin_catch",    "libstdc++.so.6:__cxa_end_catch",
	"libstdc++.so.6:__gxx_personality_v0",
};

static void probe_runtime(struct words *w, const char *const *name,
			  unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		add_word(w, "-er:%s", name[i]);
		add_word(w, "-ep:%s", name[i]);
	}
}
#define PROBE_RUNTIME(w, list) \
	probe_runtime(w, list, sizeof(list) / sizeof(*(list)))

/* With all probes; returns the summary. */
static json_t *traced(struct run *r, const char *name, bool libraries, bool cxx)
{
	struct words w;

	trace_words(&w, "-c", NULL);
	probe_all(&w, target(name), true, true);
	if (libraries)
		PROBE_RUNTIME(&w, runtime);
	if (libraries && cxx)
		PROBE_RUNTIME(&w, runtime_cxx);
	add_word(&w, "%s", target(name));
	run(r, &w, NULL);
	words_free(&w);
	ck_assert_str_eq(r->err, "");
	return summary();
}

START_TEST(catches_exceptions)
{
	const char *name = throws[_i];
	const struct expect *x = expect;
	json_t *sum, *why;
	struct run r;

	sum = traced(&r, name, _i % 2 == 0, true);
	ck_assert_msg(r.code == 0, "%s: %d, %s", name, r.code, r.out);
	ck_assert_str_eq(r.out, "every exception caught\n");
	for (; x < expect + sizeof(expect) / sizeof(*expect); x++) {
		ck_assert_int_eq(count_of(sum, x->probe, "hits"), x->hits);
		ck_assert_int_eq(count_of(sum, x->probe, "returns"),
				 x->returns);
	}
	/* Nothing of this program is left in another way. */
	why = json_object_get(sum, "why_missed");
	ck_assert_int_eq(number_of(why, "unwound"), number_of(sum, "missed"));
	ck_assert_int_ge(number_of(why, "unwound"), 2832);
	json_decref(sum);
	run_free(&r);
}
END_TEST

static const char *const walkers[] = { "unwinds-O1", "unwinds-O0", "unwinds-O2",
				       "steps" };

START_TEST(finds_the_same_frames)
{
	const char *name = walkers[_i];
	struct run alone, r;
	struct words w = { 0 };
	json_t *sum;

	add_word(&w, "%s", target(name));
	run(&alone, &w, NULL);
	words_free(&w);
	ck_assert_msg(alone.code == 0, "%s: %d %s", name, alone.code,
		      alone.err);
	sum = traced(&r, name, _i % 2 == 0, false);
	ck_assert_int_eq(r.code, 0);
	ck_assert_str_eq(r.out, alone.out);
	ck_assert_ptr_nonnull(strstr(r.out, "probed_deep"));
	/* Who looks at the stack lets all of it return, but for one jump. */
	if (!strcmp(name, "steps"))
		ck_assert_int_eq(number_of(sum, "missed"), 0);
	else
		ck_assert_int_eq(count_of(sum, "probed_deep", "returns"), 24);
	json_decref(sum);
	run_free(&alone);
	run_free(&r);
}
END_TEST

/* What GCC moves away is jumped to, its stack top is a variable. */
START_TEST(refuses_part_of_a_function)
{
	struct words w;
	struct run r;

	trace_words(&w, NULL, NULL);
	add_word(&w, "-er:%s:probed_catches.cold", target("throws-O2"));
	add_word(&w, "true");
	run(&r, &w, NULL);
	words_free(&w);
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, "jumped to, not called") != NULL, "%s",
		      r.err);
	run_free(&r);
}
END_TEST

/* Left by us anywhere, also while an unwinder is at work. */
START_TEST(is_left_in_the_middle)
{
	struct words w;
	struct run r;
	json_t *sum;
	long limit = 1 + 231 * _i;

	trace_words(&w, "-c", NULL);
	add_word(&w, "--limit=%ld", limit);
	probe_all(&w, target("throws-O1"), false, true);
	PROBE_RUNTIME(&w, runtime);
	add_word(&w, "%s", target("throws-O1"));
	run(&r, &w, NULL);
	words_free(&w);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	ck_assert_str_eq(r.out, "every exception caught\n");
	sum = summary();
	ck_assert_int_eq(number_of(sum, "hits") + number_of(sum, "returns"),
			 limit);
	json_decref(sum);
	run_free(&r);
}
END_TEST

/* Unwinders without symbols, and one that is not GCC's. */
static const struct hidden {
	const char *command; /* makes $2 of $1 */
	const char *target, *says;
} hidden[] = {
	{ "strip -o $2 $1", "throws-static", "no symbol tells where" },
	{ "strip -o $2 $1", "unwinds-static", "no symbol tells where" },
	{ "objcopy --add-section .gopclntab=/dev/null $1 $2", "args",
	  "it is a Go program" },
	/* It is imported, or there is none: nothing is said. */
	{ "strip -o $2 $1", "throws-O2", NULL },
	{ "strip -o $2 $1", "args", NULL },
	{ "cp $1 $2", "throws-static", NULL },
};

START_TEST(says_what_it_cannot_find)
{
	const struct hidden *x = &hidden[_i];
	char command[9000], copy[256];
	unsigned int force;
	struct words w;
	struct run r;

	snprintf(copy, sizeof(copy), "%s", temporary("hidden"));
	snprintf(command, sizeof(command), "set %s %s; %s", target(x->target),
		 copy, x->command);
	ck_assert_int_eq(system(command), 0);
	for (force = 0; force < 2; force++) {
		trace_words(&w, "-c", "-er:libc.so.6:pthread_atfork",
			    force ? "--force" : "-c", NULL);
		add_word(&w, "%s", copy);
		run(&r, &w, NULL);
		words_free(&w);
		ck_assert_msg(r.code == (x->says && !force ? 125 : 0), "%d %s",
			      r.code, r.err);
		if (x->says) {
			ck_assert_msg(strstr(r.err, x->says) != NULL, "%s",
				      r.err);
			ck_assert_ptr_nonnull(strstr(
				r.err, force ? "warning: " : "or --force"));
		} else {
			ck_assert_str_eq(r.err, "");
		}
		run_free(&r);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("unwind");
	TCase *tc = tcase_create("own unwinders");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, catches_exceptions, 0,
			    sizeof(throws) / sizeof(*throws));
	tcase_add_loop_test(tc, finds_the_same_frames, 0,
			    sizeof(walkers) / sizeof(*walkers));
	tcase_add_loop_test(tc, is_left_in_the_middle, 0, 8);
	tcase_add_loop_test(tc, says_what_it_cannot_find, 0,
			    sizeof(hidden) / sizeof(*hidden));
	tcase_add_test(tc, refuses_part_of_a_function);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

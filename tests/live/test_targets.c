// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_targets.c - each target under every placement: entry, return, both; each
 * way to run a slot. The target checks itself; here, what was counted.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run.h"
#include "targets/processor.h"

struct expect {
	const char *probe;
	long hits, returns; /* -1: not compared */
};

static const struct target_case {
	const char *name, *input, *says;
	int code;
	struct expect expect[4];
} cases[] = {
	{ "regs",
	  NULL,
	  "all the same\n",
	  0,
#ifdef __x86_64__
	  /* One hit, however often it repeats. */
	  { { "probed_nop", 12, 12 }, { "probed_rep_movs", 12, 12 } } },
#else
	  { { "probed_nop", 16, 16 }, { "probed_tbnz", 16, 16 } } },
#endif
	{ "storm",
	  NULL,
	  "every signal counted\n",
	  0,
	  { { "probed_add", 23000 / SLOWER, 23000 / SLOWER } } },
	{ "park",
	  "go\n",
	  "ready 40\nall finished\n",
	  0,
	  { { "probed_load", 40, 40 } } },
	{ "frames",
	  NULL,
	  "every frame returned\n",
	  0,
	  { { "probed_factorial", 320, 320 },
	    /* 101 deep twice, 64 of which can be followed. */
	    { "probed_nested", 202, 128 },
	    { "probed_jumps", 210, 0 },
	    { "probed_tail3", 2, 2 } } },
	{ "children",
	  NULL,
	  "every child as told\n",
	  0,
	  { { "probed_outer", 10, 10 },
	    { "probed_leaf", 214, 214 },
	    { "probed_vforks", 2, 2 } } },
	/* Hits twice, as the handler repairs and the instruction restarts. */
	{ "fault",
	  NULL,
	  "every fault where it belongs\n",
	  0,
	  { { "probed_load", 150, 150 },
#ifdef __x86_64__
	    { "probed_div", 100, 100 },
#endif
	    { "probed_bad", 50, 50 } } },
	{ "stop", NULL, "stopped and went on\n", 0, { { NULL, 0, 0 } } },
	{ "traps",
	  NULL,
	  "own traps kept\n",
	  0,
	  { { "probed_add", 300, 300 } } },
	{ "sigtrap",
	  NULL,
	  "no trap lost\n",
	  0,
	  { { "probed_add", 439, 439 }, { "probed_push", 439, 439 } } },
	{ "altstack",
	  NULL,
	  "two stacks kept\n",
	  0,
	  { { "probed_load", 100, 100 } } },
	{ "threadexec", NULL, "executed\n", 3, { { NULL, 0, 0 } } },
	{ "busy", "\n", NULL, 0, { { NULL, 0, 0 } } },
	/* Of the library: ten loads, a call after each, a hundred at last. */
	{ "late",
	  NULL,
	  "loaded and left\n",
	  0,
	  { { "probed_late", 120, 120 },
	    { "probed_resolver_calls", 10, 10 } } },
	{ "quiet",
	  NULL,
	  "loaded and left\n",
	  0,
	  { { "probed_late", 120, 120 },
	    { "probed_resolver_calls", 10, 10 } } },
#ifdef __x86_64__
	{ "calls", NULL, "every call made\n", 5, { { NULL, 0, 0 } } },
#endif
	{ "moved",
	  NULL,
	  "moved and called\n",
	  0,
	  { { "probed_moved", 400, 400 } } },
	{ "static",
	  NULL,
	  "every frame returned\n",
	  0,
	  { { "probed_nested", 202, 128 } } },
	{ "fixed", NULL, "all the same\n", 0, { { NULL, 0, 0 } } },
};

static const char *const ways[] = { "--step=auto", "--step=hw", "--step=bp" };

static void compare(json_t *sum, const struct target_case *c, bool entry,
		    bool ret)
{
	const struct expect *x;

	for (x = c->expect; x < c->expect + 4 && x->probe; x++) {
		if (entry)
			ck_assert_int_eq(count_of(sum, x->probe, "hits"),
					 x->hits);
		if (ret)
			ck_assert_int_eq(count_of(sum, x->probe, "returns"),
					 x->returns);
	}
	if (entry)
		ck_assert_int_gt(number_of(sum, "hits"), 0);
	if (ret)
		ck_assert_int_gt(number_of(sum, "returns"), 0);
}

/* These two load a library, and it is the library that is probed. */
static const char *probed_file(const struct target_case *c)
{
	if (!strcmp(c->name, "late") || !strcmp(c->name, "quiet"))
		return "liblate.so";
	return c->name;
}

/* With a jump behind it, one copy holds any number of threads; slots hold 31. */
#ifdef __x86_64__
#define JUMPS "--step=auto"
#else
#define JUMPS "none"
#endif

static const char *said(const struct target_case *c, const char *way)
{
	if (!strcmp(c->name, "park") && strcmp(way, JUMPS))
		return "ready 31\nall finished\n";
	return c->says;
}

static void trace(const struct target_case *c, const char *way, bool entry,
		  bool ret)
{
	const char *says = said(c, way);
	struct words w;
	struct run r;
	json_t *sum;

	trace_words(&w, "-c", way, NULL);
	probe_all(&w, target(probed_file(c)), entry, ret);
	/* There is no return address where a handler returns to. */
	if (!strcmp(c->name, "calls"))
		add_word(&w, "-ep:%s:entry_sigreturn", target(c->name));
	add_word(&w, "--");
	add_word(&w, "%s", target(c->name));
	run(&r, &w, c->input);
	ck_assert_msg(r.code == c->code, "%s %s: status %d, '%s', '%s'",
		      c->name, way, r.code, r.out, r.err);
	if (says)
		ck_assert_str_eq(r.out, says);
	ck_assert_msg(!strstr(r.err, "warning"), "%s", r.err);
	sum = summary();
	compare(sum, c, entry, ret);
	json_decref(sum);
	run_free(&r);
}

/* The target alone: nothing below means anything if this fails. */
START_TEST(succeeds_alone)
{
	const struct target_case *c = &cases[_i];
	struct words w = { 0 };
	struct run r;

	add_word(&w, "%s", target(c->name));
	run(&r, &w, c->input);
	ck_assert_msg(r.code == c->code, "%s: %d, %s", c->name, r.code, r.err);
	run_free(&r);
}
END_TEST

START_TEST(succeeds_with_both)
{
	trace(&cases[_i / 3], ways[_i % 3], true, true);
}
END_TEST

/* Where all three take too long. */
START_TEST(succeeds_one_way)
{
	trace(&cases[_i], ways[_i % 3], true, true);
}
END_TEST

START_TEST(succeeds_with_entry)
{
	trace(&cases[_i], ways[0], true, false);
}
END_TEST

START_TEST(succeeds_with_return)
{
	trace(&cases[_i], ways[0], false, true);
}
END_TEST

/* The older designs carry a program as well. */
static const struct {
	const char *name, *variant;
} older[] = {
	{ "frames", "--variant=6.13" }, { "children", "--variant=6.13" },
	{ "traps", "--variant=6.14" },	{ "fault", "--variant=6.14" },
	{ "static", "--variant=6.14" },
};

START_TEST(succeeds_in_older_designs)
{
	const struct target_case *c = cases;

	while (strcmp(c->name, older[_i].name))
		c++;
	trace(c, older[_i].variant, true, true);
}
END_TEST

/* It is a race, so it takes many hits; on entry is enough. */
START_TEST(tells_traps_from_outside_apart)
{
	const struct target_case outside = { "outside",
					     NULL,
					     "every signal handled\n",
					     0,
					     { { "probed_push", 20000, 0 },
					       { "probed_jump", 20000, 0 },
					       { "probed_add", 20000, 0 } } };

	trace(&outside, ways[_i], true, false);
}
END_TEST

/* Nobody sees it move its text then; its children are free of us all the same. */
START_TEST(leaves_children_of_moved_text)
{
	struct words w;
	struct run r;

	trace_words(&w, "-c", "--fast", NULL);
	probe_all(&w, target("moved"), true, true);
	add_word(&w, "%s", target("moved"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "status %d, '%s'", r.code, r.err);
	ck_assert_str_eq(r.out, "moved and called\n");
	run_free(&r);
}
END_TEST

/* Breakpoints of the program's own where the model knows of no mapping. */
static const struct own_case {
	const char *where, *handled;
	int code;
	const char *says;
	long hits; /* of puts */
} own_cases[] = {
	{ "program", NULL, 128 + SIGTRAP, "before\n", 1 },
	{ "program", "handled", 0, "before\nbehind\n", 2 },
	{ "library", NULL, 128 + SIGTRAP, "before\n", 1 },
	{ "library", "handled", 0, "before\nbehind\n", 2 },
	{ "anonymous", NULL, 128 + SIGTRAP, "before\n", 1 },
	{ "anonymous", "handled", 0, "before\nbehind\n", 2 },
};

START_TEST(leaves_own_breakpoints)
{
	const struct own_case *c = &own_cases[_i / 4];
	bool traced = _i % 4;
	struct words w = { 0 };
	struct run r;
	json_t *sum;

	if (traced)
		trace_words(&w, ways[_i % 4 - 1], "-ep:libc.so.6:puts", "--",
			    NULL);
	add_word(&w, "%s", target("own"));
	add_word(&w, "%s", c->where);
	if (c->handled)
		add_word(&w, "%s", c->handled);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == c->code, "%s: status %d, '%s'", c->where,
		      r.code, r.err);
	ck_assert_str_eq(r.out, c->says);
	ck_assert_str_eq(r.err, "");
	if (traced) {
		sum = summary();
		ck_assert_int_eq(count_of(sum, "puts", "hits"), c->hits);
		json_decref(sum);
	}
	run_free(&r);
}
END_TEST

/* Their memory is root's alone, but our breakpoints are in it. */
START_TEST(leaves_undumpable_children)
{
	const char *program = temporary("undumpable");
	char command[5000];
	struct words w;
	struct run r;

	/* The tree may lie where others may not look. */
	snprintf(command, sizeof(command), "cp %s %s", target("undumpable"),
		 program);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(chmod(temporary("."), 0711), 0);
	unprivileged_words(&w);
	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "-c");
	probe_all(&w, program, true, true);
	add_word(&w, "%s", program);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "status %d, '%s'", r.code, r.err);
	ck_assert_str_eq(r.out, "kept to itself\n");
	ck_assert_msg(strstr(r.err, "22 hits (11 entry, 11 return), 0 missed"),
		      "'%s'", r.err);
	run_free(&r);
}
END_TEST

/* ---- --fast ----------------------------------------------------------------------- */

/* It leaves out nothing that these would notice. */
static const char *const fast[] = { "frames", "children", "fault",
				    "storm",  "late",	  "quiet" };

START_TEST(succeeds_fast)
{
	const struct target_case *c = cases;

	while (strcmp(c->name, fast[_i]))
		c++;
	trace(c, "--fast", true, true);
}
END_TEST

/* A program that has SIGTRAP set up and gets none ends as it does alone. */
static const char *const set_up[] = { "trap '' TRAP", "trap 'echo no' TRAP" };

START_TEST(fast_shows_no_trap)
{
	const char *words[] = { "--fast", "--step=bp", "--step=hw" };
	struct words w;
	struct run r;
	json_t *sum;

	trace_words(&w, "-c", "--fast", words[_i / 2], "-ep:libc.so.6:write",
		    "-er:libc.so.6:write", "--", "sh", "-c", NULL);
	add_word(&w, "%s; echo 1; (echo 2); echo 3; exit 3", set_up[_i % 2]);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 3, "status %d, '%s'", r.code, r.err);
	ck_assert_str_eq(r.out, "1\n2\n3\n");
	ck_assert_str_eq(r.err, "");
	sum = summary();
	ck_assert_int_eq(number_of(sum, "hits"), 2);
	ck_assert_int_eq(number_of(sum, "returns"), 2);
	json_decref(sum);
	run_free(&r);
}
END_TEST

/* It does leave something out: one that looks finds its action gone. */
START_TEST(fast_loses_what_is_ignored)
{
	struct words w;
	struct run r;

	trace_words(&w, "-c", "--fast", NULL);
	probe_all(&w, target("sigtrap"), true, true);
	add_word(&w, "%s", target("sigtrap"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 1, "status %d, '%s'", r.code, r.err);
	ck_assert_ptr_nonnull(strstr(r.err, "not so: blocked()"));
	run_free(&r);
}
END_TEST

static void add_all(TCase *tc)
{
	int n = sizeof(cases) / sizeof(*cases);

	tcase_add_loop_test(tc, succeeds_with_both, 0, 3 * n);
	tcase_add_loop_test(tc, succeeds_with_entry, 0, n);
	tcase_add_loop_test(tc, succeeds_with_return, 0, n);
	tcase_add_loop_test(tc, succeeds_in_older_designs, 0,
			    sizeof(older) / sizeof(*older));
	tcase_add_loop_test(tc, tells_traps_from_outside_apart, 0, 3);
	tcase_add_test(tc, leaves_children_of_moved_text);
	tcase_add_test(tc, leaves_undumpable_children);
	tcase_add_loop_test(tc, succeeds_fast, 0, sizeof(fast) / sizeof(*fast));
	tcase_add_loop_test(tc, fast_shows_no_trap, 0, 6);
	tcase_add_test(tc, fast_loses_what_is_ignored);
	tcase_add_loop_test(tc, leaves_own_breakpoints, 0,
			    4 * sizeof(own_cases) / sizeof(*own_cases));
}

/* On an emulated processor. */
static void add_some(TCase *tc)
{
	int n = sizeof(cases) / sizeof(*cases);

	tcase_add_loop_test(tc, succeeds_one_way, 0, n);
	tcase_add_test(tc, leaves_children_of_moved_text);
	tcase_add_loop_test(tc, leaves_own_breakpoints, 1, 3);
}

int main(void)
{
	Suite *s = suite_create("targets");
	TCase *tc = tcase_create("self-checking");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, succeeds_alone, 0,
			    sizeof(cases) / sizeof(*cases));
	if (SLOWER == 1 || getenv("TRAPLINE_FULL"))
		add_all(tc);
	else
		add_some(tc);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

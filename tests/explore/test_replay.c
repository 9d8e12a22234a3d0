// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_replay.c - replay that is strict, and replay that goes on: what a schedule of
 * explore's is to a program that was changed, and what can come after a schedule.
 */
#include "searches.h"
#include "../suite.h"

static char dir[] = "/tmp/replay-XXXXXX";

/* mix.c there, and mix.fail.sched, of a violation that takes three preemptions. */
static void make_dir(void)
{
	int status;
	char *text;

	strcpy(dir, "/tmp/replay-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	text = run(&status,
		   "cp %s/mix.c %s/points.c %s && cd %s && %s explore mix.c "
		   "-DBAD=45",
		   PROGRAMS, PROGRAMS, dir, dir, TRAPLINE);
	ck_assert_msg(status == 1, "%s", text);
	free(text);
}

static void remove_dir(void)
{
	int status;

	free(run(&status, "rm -r %s", dir));
}

struct replay_row {
	const char *change;  /* of the shell, in DIR */
	const char *options; /* of replay */
	int status;
	const char *say;
};

static void check_row(const struct replay_row *r)
{
	int status;
	char *text = run(&status, "cd %s && { %s; } && %s replay %s 2>&1", dir,
			 r->change, TRAPLINE, r->options);

	ck_assert_msg(status == r->status, "'%s', %s: status %d:\n%s",
		      r->change, r->options, status, text);
	has(text, r->say);
	free(text);
}

#define FAIL " mix.fail.sched"

static const struct replay_row strict[] = {
	{ ":", "--strict" FAIL, 0, "the schedule expects: violated" },
	/* lines move, names and operations do not */
	{ "sed -i '1a//' mix.c", "--strict" FAIL, 0, "expects: violated" },
	/* once more, in the middle; anchored replay does not mind */
	{ "sed -i 's/atomic_load(&x) \\* 3/(0 * atomic_load(\\&x) + "
	  "atomic_load(\\&x) * 3)/' mix.c",
	  "--strict" FAIL, 1,
	  "strict: thread is about to do 'read x' at mix.c:22, which did not "
	  "come here when the schedule was written" },
	{ "sed -i 's/^\\treturn 0/\\tx++;&/' mix.c", "" FAIL, 0,
	  "the schedule expects: violated" },
	{ "sed -i 's/^\\tassert(/\\tif (0) &/' mix.c", "--strict" FAIL, 1,
	  "strict: the run ended earlier" },
	/* another object, so no line of the schedule could be followed */
	{ "sed -i 's/\\<x\\>/y/g' mix.c", "--strict" FAIL, 1,
	  "mix.fail.sched:" },
	/* the schedule was changed by hand */
	{ "sed -i 's/^run thread until.*/run thread until end/' mix.fail.sched",
	  "--strict" FAIL, 1, "strict: " },
	{ "sed -i '/^steps:/d' mix.fail.sched", "--strict" FAIL, 2,
	  "has no 'steps:' that --strict could compare" },
	{ "sed -i 's/^steps:.*/steps: A/' mix.fail.sched", "--strict" FAIL, 2,
	  "has no 'steps:' that --strict could compare" },
	{ "sed -i '/^steps:/d' mix.fail.sched", "" FAIL, 0, "expects" },
	/* what shrink writes of it has steps again */
	{ "sed -i '/^steps:/d' mix.fail.sched; '" TRAPLINE
	  "' shrink mix.fail.sched >/dev/null",
	  "--strict mix.fail.min.sched", 0, "expects" },
	{ ":", "--strict --continue 1" FAIL, 2, "choose one" },
};

/* Lines as points: each of the two turns reads x there, and writes it. */
static const struct replay_row anchored[] = {
	{ "sed -i 's/until write x #2/until mix.c:22 #4/' mix.fail.sched",
	  "" FAIL, 0, "the schedule expects: violated" },
	{ "sed -i 's/until write x #2/until mix.c:22 #3/' mix.fail.sched",
	  "" FAIL, 1, "<-- not so" },
	{ "sed -i 's/until write x #2/until mix.c:1/' mix.fail.sched", "" FAIL,
	  1, "thread ended without coming to 'mix.c:1'" },
	{ "sed -i 's/until write x #2/until ix.c:22/' mix.fail.sched", "" FAIL,
	  1, "thread ended without coming to 'ix.c:22'" },
	{ "sed -i 's/until write x #2/until run #1/' mix.fail.sched", "" FAIL,
	  1, "<-- not so" },
};

START_TEST(by_anchors)
{
	check_row(&anchored[_i]);
}
END_TEST

START_TEST(strictly)
{
	check_row(&strict[_i]);
}
END_TEST

#define EMPTY                                                              \
	"printf 'trapline 1 schedule\\nscenario: points.c\\nmemory: sc\\n" \
	"--\\n' >a.sched"

static const struct replay_row going_on[] = {
	/* nothing is said: all there are, as --bound says */
	{ EMPTY, "--continue 0 a.sched", 0,
	  "all 2 schedules with at most 0 preemptions" },
	{ EMPTY, "--continue 1 a.sched", 0,
	  "all 4 schedules with at most 1 preemption " },
	{ EMPTY, "--continue 9 a.sched", 0,
	  "all 6 schedules with at most 9 preemptions" },
	/* the violation needs three in all: one is made */
	{ "sed -i '/thread[23] until/d' mix.fail.sched", "--continue 1" FAIL, 0,
	  "with at most 1 preemption" },
	{ "sed -i '/thread[23] until/d' mix.fail.sched", "--continue 2" FAIL, 1,
	  "of those that begin as mix.fail.sched says" },
	{ "sed -i '/thread[23] until/d' mix.fail.sched",
	  "--continue 2 --budget 7" FAIL, 3, "after 7 schedules" },
	{ "sed -i '/thread[23] until/d' mix.fail.sched; '" TRAPLINE
	  "' replay --continue 2 -o b.sched" FAIL " >/dev/null; "
	  "grep -q 'run thread until write x #2' b.sched",
	  "--strict b.sched", 0, "the schedule expects: violated" },
	{ "sed -i 's/until write x/until write y/' mix.fail.sched",
	  "--continue 2" FAIL, 1, "DIVERGED  mix.fail.sched:" },
	{ "sed -i 's/memory: sc/memory: tso/' mix.fail.sched",
	  "--continue 2" FAIL, 2, "under memory sc only" },
	{ ":", "--continue x" FAIL, 2, "expected a number of preemptions" },
	{ ":", "--budget 7" FAIL, 2, "--budget needs --continue" },
	{ ":", "-o x" FAIL, 2, "-o needs --continue" },
};

START_TEST(goes_on)
{
	check_row(&going_on[_i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("replay");
	TCase *c = tcase_create("replay");

	tcase_set_timeout(c, 300);
	tcase_add_checked_fixture(c, make_dir, remove_dir);
	tcase_add_loop_test(c, strictly, 0, sizeof(strict) / sizeof(*strict));
	tcase_add_loop_test(c, by_anchors, 0,
			    sizeof(anchored) / sizeof(*anchored));
	tcase_add_loop_test(c, goes_on, 0,
			    sizeof(going_on) / sizeof(*going_on));
	suite_add_tcase(s, c);
	return suite_run(s, CK_FORK_GETENV);
}

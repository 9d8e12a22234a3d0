// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_some.c - some executions of many: how many there are with so many preemptions,
 * that a violation has as few as can be and its schedule repeats it; random ones, the
 * same for the same seed; and that none of it claims more than it did.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite.h"
#include "command.h"

#define EXPLORE "cd " PROGRAMS " && timeout 300 " TRAPLINE " explore "
#define NO_SCHEDULE " --schedule-out /dev/null"

static void has(const char *what)
{
	ck_assert_msg(strstr(output, what), "no \"%s\" in:\n%s", what, output);
}

struct row {
	const char *arguments;
	int status;
	const char *say;
};

static const struct row rows[] = {
	{ "points.c --bound 0", 0,
	  "all 2 schedules with at most 0 preemptions" },
	{ "points.c --bound 1", 0,
	  "all 4 schedules with at most 1 preemption " },
	{ "points.c --bound 2", 0,
	  "all 6 schedules with at most 2 preemptions" },
	{ "points.c --bound 9", 0,
	  "all 6 schedules with at most 9 preemptions" },
	/* t1 before t2 and main in between or not, or t2 before t1 */
	{ "late.c -DNT=2 --bound 0", 0, "all 3 schedules with at most 0" },
	{ "choice.c -DWAYS=4 -DNT=1 --bound 0", 0, "all 4 schedules" },
	{ "mutex.c -DBUG --bound 0", 0, "with at most 0 preemptions" },
	{ "mutex.c -DBUG --bound 5", 1, "fewest preemptions: 1)" },
	/* what is shared turns out in one order only */
	{ "late.c -DNT=3 -DSHARED --bound 0", 0, "all 13 schedules" },
	{ "late.c -DNT=3 -DRACE -DLOST --bound 2", 1,
	  "fewest preemptions: 1)" },
	{ "seqlock.c --bound 1", 0, "with at most 1 preemption (" },
	{ "self_deadlock.c --bound 3", 1, "fewest preemptions: 0)" },
	{ "fib.c -DN=4 --bound 9 --budget 100", 3,
	  "spent after 100 schedules" },
	{ "points.c --bound 2 --format json", 0, "\"executions\":6" },
	{ "points.c --bound 2 --format json", 0, "\"bound\":2" },
	{ "points.c --format json", 0, "\"bound\":null" },
	{ "points.c --random 100", 3, "100 random schedules, none failed (" },
	{ "points.c --random 100", 3, "(data races not looked for)" },
	{ "mutex.c -DBUG --random 1000 --seed 7", 1, "seed 7)" },
	{ "aba.c --random 1000 --pct 3", 1, "seed 1, depth 3)" },
	{ "points.c --random 9 --seed 3 --format json", 3,
	  "\"random\":9,\"seed\":3" },
	{ "points.c --random 9 --format json", 3, "\"verdict\":\"undecided\"" },
	/* what a search comes to first takes 6 and 5 */
	{ "mix.c -DBAD=155", 1, "memory sc, fewest preemptions: 4)" },
	{ "mix.c -DBAD=155 --bound 3", 0, "with at most 3 preemptions" },
	{ "mix.c -DBAD=45", 1, "memory sc, fewest preemptions: 3)" },
	{ "mix.c -DBAD=45 --bound 2", 0, "with at most 2 preemptions" },
	{ "mix.c -DBAD=45 --format json", 1,
	  "\"preemptions\":3,\"fewest\":true" },
	{ "mix.c -DNT=4 -DK=3 -DBAD=130", 1,
	  "preemptions: 4, fewest not decided: budget spent)" },
	{ "mix.c -DBAD=45 --memory tso", 1, "memory tso)" },
	{ "lock_order.c", 1, "memory sc)" },
	/* together they make no sense */
	{ "points.c --pct 3", 2, "needs --random N" },
	{ "points.c --bound 3 --random 3", 2, "choose one" },
	{ "points.c --bound 3 --memory tso", 2, "for --memory sc only" },
	{ "points.c --bound 3 -j 2", 2, "leave --jobs out" },
	{ "points.c --bound x", 2, "expected a number of preemptions" },
	{ "points.c --random 0", 2, "expected a number of schedules" },
};

START_TEST(says)
{
	const struct row *r = &rows[_i];
	int status = command(EXPLORE "%s" NO_SCHEDULE " 2>&1", r->arguments);

	ck_assert_msg(status == r->status, "%s: status %d:\n%s", r->arguments,
		      status, output);
	has(r->say);
}
END_TEST

static const char *const found[] = {
	"mutex.c -DBUG --bound 2",
	"aba.c --bound 2",
	"mutex.c -DBUG --random 1000",
	"aba.c --random 1000 --pct 3",
	"choice.c -DBUG --alloc-failures 1 --bound 1",
	"leak.c --random 10",
	"mix.c -DBAD=155",
};

/* What was found is found again by its schedule, and by the same command. */
static void explore_to(const char *name, const char *arguments)
{
	command(EXPLORE "%s --schedule-out %s 2>&1 | grep -v ^time:; cat %s",
		arguments, name, name);
}

START_TEST(repeats)
{
	char name[] = "/tmp/some-XXXXXX", *first;
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	explore_to(name, found[_i]);
	has("FAIL  ");
	has("schedule: ");
	first = strdup(output);
	explore_to(name, found[_i]);
	ck_assert_str_eq(first, output);
	free(first);
	ck_assert_msg(!command("cd " PROGRAMS " && " TRAPLINE " replay %s 2>&1",
			       name),
		      "%s", output);
	has("the schedule expects: violated");
	remove(name);
}
END_TEST

/* Other seeds, other schedules: somewhere it is found sooner. */
START_TEST(seeds_differ)
{
	char *first = NULL;
	bool differ = false;

	for (int seed = 1; seed < 6; seed++) {
		command(EXPLORE
			"aba.c --random 1000 --seed %d" NO_SCHEDULE
			" 2>&1 | sed -n 's/.*after \\([0-9]*\\).*/\\1/p'",
			seed);
		ck_assert(*output);
		differ |= first && strcmp(first, output);
		free(first);
		first = strdup(output);
	}
	free(first);
	ck_assert(differ);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("some");
	TCase *c = tcase_create("some");

	tcase_set_timeout(c, 300);
	tcase_add_loop_test(c, says, 0, sizeof(rows) / sizeof(*rows));
	tcase_add_loop_test(c, repeats, 0, sizeof(found) / sizeof(*found));
	tcase_add_test(c, seeds_differ);
	suite_add_tcase(s, c);
	return suite_run(s, CK_FORK_GETENV);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_shards.c - a search in shards, merged, prints what one process prints, and
 * writes the same schedule; and records that do not make one search are refused.
 */
#include "searches.h"
#include "../suite.h"

#include <unistd.h>

static char dir[] = "/tmp/shards-XXXXXX";

static void make_dir(void)
{
	strcpy(dir, "/tmp/shards-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void remove_dir(void)
{
	int status;

	free(run(&status, "rm -r %s", dir));
}

/* Make the records DIR/1.shard to DIR/N.shard. */
static void search_shards(int n, const char *arguments)
{
	int status;

	for (int i = 1; i <= n; i++) {
		char *text = run(&status,
				 EXPLORE "%s --shard %d/%d --shard-out "
					 "%s/%d.shard 2>&1",
				 arguments, i, n, dir, i);

		ck_assert_msg(status == 0 || status == 1 || status == 3,
			      "%s: shard %d of %d: status %d:\n%s", arguments,
			      i, n, status, text);
		has(text, "SHARD  ");
		free(text);
	}
}

static void check_same(const struct row *r, int n)
{
	static const char *const how[] = { "", "--merge %s/*.shard" };
	char *text[2], merge[100];
	int status;

	search_shards(n, r->arguments);
	for (int k = 0; k < 2; k++) {
		snprintf(merge, sizeof(merge), how[k], dir);
		text[k] = run(&status,
			      EXPLORE "%s --schedule-out %s/sched %s; "
				      "s=$?; cat %s/sched 2>&1; "
				      "rm -f %s/sched; "
				      "exit $s",
			      r->arguments, dir, merge, dir, dir);
		ck_assert_msg(status == r->status, "%s: status %d:\n%s",
			      r->arguments, status, text[k]);
		has(text[k], r->say);
	}
	ck_assert_msg(!strcmp(text[0], text[1]),
		      "%s in %d shards:\n%s\nby one process:\n%s", r->arguments,
		      n, text[1], text[0]);
	free(text[0]);
	free(text[1]);
}

START_TEST(same_in_three)
{
	check_same(&rows[_i], 3);
}
END_TEST

static const struct row few[] = {
	{ "fib.c -DN=4", "holds in all 1107 executions", 0 },
	{ "fib.c -DN=5 --memory tso", "holds in all 19404 executions", 0 },
	{ "fib.c -DN=4 --memory lkmm", "holds in all 1764 executions", 0 },
	{ "sb.c --memory tso", "holds in all 4 executions", 0 },
	/* graphs have to be larger for one execution in the middle */
	{ "late.c -DNT=7 -DLONG", "holds in all 5040 executions", 0 },
	{ "late.c -DNT=6 -DSHARED --cover", "holds in all 721 executions", 0 },
	{ "late.c -DNT=7 -DRACE", "plain write by thread8", 0 },
	{ "late.c -DNT=7 -DFAIL", "found after 5039 executions", 1 },
	{ "aba.c", "FAIL  ", 1 },
	/* in a part; in more than one */
	{ "mix.c -DBAD=9", "found after 574 executions", 1 },
	{ "mix.c -DBAD=155", "found after 6694 executions", 1 },
	{ "lock_order.c", "FAIL  lock-order", 1 },
	{ "fib.c -DN=5 --budget 1001", "after 1001 executions", 3 },
	{ "self_deadlock.c", "FAIL  deadlock", 1 },
};

#define NR_FEW (sizeof(few) / sizeof(*few))
#define NR_SEVEN 3

START_TEST(same_in_two)
{
	check_same(&few[_i], 2);
}
END_TEST

START_TEST(same_in_seven)
{
	check_same(&few[_i], 7);
}
END_TEST

/* Each shard does a part of the work: no more than all of it together. */
START_TEST(work_is_shared)
{
	unsigned long long n, sum = 0;
	int status;
	char *text;

	search_shards(4, "fib.c -DN=5 --memory tso");
	for (int i = 1; i <= 4; i++) {
		text = run(&status,
			   "awk '/^executions/ { n += $2 } "
			   "END { print n + 0 }' %s/%d.shard",
			   dir, i);
		n = strtoull(text, NULL, 10);
		ck_assert_msg(n > 19404 / 8 && n < 19404 / 2,
			      "shard %d of 4 has %llu", i, n);
		sum += n;
		free(text);
	}
	ck_assert_msg(sum > 17000 && sum <= 19404, "%llu together", sum);
	text = run(&status,
		   EXPLORE "fib.c -DN=5 --memory tso --merge %s/*.shard 2>&1",
		   dir);
	ck_assert_msg(!strstr(text, "searched again here"), "%s", text);
	free(text);
}
END_TEST

/* One comes to memory that turns out to be shared; the others searched in vain. */
START_TEST(work_is_not_shared)
{
	int status;
	char *text;

	search_shards(2, "late.c -DNT=6 -DSHARED");
	text = run(&status,
		   EXPLORE "late.c -DNT=6 -DSHARED --merge %s/*.shard 2>&1",
		   dir);
	has(text, "searched again here");
	has(text, "holds in all 721 executions");
	free(text);
}
END_TEST

/* Time was over in one of them: nobody says that it holds. */
START_TEST(one_was_stopped)
{
	int status;
	char *text;

	search_shards(3, "fib.c -DN=4");
	text = run(&status,
		   EXPLORE "fib.c -DN=4 --shard 2/3 --budget 0.0001s "
			   "--shard-out %s/2.shard",
		   dir);
	has(text, "was stopped");
	ck_assert_int_eq(status, 3);
	free(text);
	text = run(&status, EXPLORE "fib.c -DN=4 --merge %s/*.shard", dir);
	has(text, "UNDECIDED  fib: budget spent after");
	ck_assert_int_eq(status, 3);
	free(text);
}
END_TEST

/* What is done to DIR/1.shard to DIR/3.shard, of fib.c -DN=4, and what is said. */
static const struct {
	const char *damage, *arguments, *say;
} wrong[] = {
	{ "rm 2.shard", "-DN=4",
	  "shard 2/3 is missing; it is made by --shard 2/3" },
	{ "cp 1.shard 1.again.shard", "-DN=4", "are both shard 1/3" },
	{ "rm 2.shard; cp 1.shard 1.again.shard", "-DN=4",
	  "are both shard 1/3" },
	{ ":", "-DN=3", "is of another program" },
	{ ":", "-DN=4 --memory tso", "was made with other options: memory=sc" },
	{ ":", "-DN=4 --races off", "was made with other options: " },
	{ "head -c 500 2.shard >x; mv x 2.shard", "-DN=4",
	  "2.shard ends early" },
	{ "sed -i '$d' 2.shard", "-DN=4", "2.shard ends early" },
	{ "sed -i 's/executions 1 /executions 2 /' 2.shard", "-DN=4",
	  "2.shard ends early, or is damaged" },
	{ "sed -i '1s/1/2/' 2.shard", "-DN=4",
	  "2.shard:1: format 2 of records; this Trapline knows 1" },
	{ "echo nothing >2.shard", "-DN=4",
	  "2.shard:1: not the record of a shard" },
	{ ": >2.shard", "-DN=4", "2.shard:1: not the record of a shard" },
	{ "rm 2.shard; mkdir 2.shard", "-DN=4", "cannot read" },
	{ "D=$PWD; cd $P; $T explore fib.c -DN=4 --shard 1/2 "
	  "--shard-out $D/4.shard",
	  "-DN=4", "4.shard is one of 2 shards, and" },
	{ ":", "-DN=4 -j 2", "--merge uses one process; leave --jobs out" },
	{ ":", "-DN=4 --shard 1/3", "leave --shard out" },
	{ ":", "-DN=4 --bound 1", "leave --shard and --merge out" },
};

START_TEST(do_not_belong)
{
	int status;
	char *text;

	search_shards(3, "fib.c -DN=4");
	text = run(&status,
		   "cd %s && { T='%s'; P='%s'; %s; } >/dev/null && cd '%s' && "
		   "%s explore fib.c %s --merge %s/*.shard 2>&1",
		   dir, TRAPLINE, PROGRAMS, wrong[_i].damage, PROGRAMS,
		   TRAPLINE, wrong[_i].arguments, dir);
	has(text, wrong[_i].say);
	ck_assert_msg(status == 2, "%d: %s", status, text);
	/* one sentence */
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	free(text);
}
END_TEST

START_TEST(not_a_shard)
{
	static const char *const numbers[] = { "0/3", "4/3", "x",   "2",
					       "/3",  "1/",  "-1/3" };
	int status;
	char *text = run(&status, EXPLORE "fib.c --shard %s 2>&1", numbers[_i]);

	ck_assert_int_eq(status, 2);
	has(text, "expected I/N, with N up to");
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("shards");
	TCase *c = tcase_create("shards");

	tcase_set_timeout(c, 300);
	tcase_add_checked_fixture(c, make_dir, remove_dir);
	if (getenv("TRAPLINE_FULL"))
		tcase_add_loop_test(c, same_in_three, 0, NR_ROWS - NR_LONG);
	tcase_add_loop_test(c, same_in_two, 0, NR_FEW);
	tcase_add_loop_test(c, same_in_seven, 0,
			    getenv("TRAPLINE_FULL") ? NR_FEW : NR_SEVEN);
	tcase_add_test(c, work_is_shared);
	tcase_add_test(c, work_is_not_shared);
	tcase_add_test(c, one_was_stopped);
	tcase_add_loop_test(c, do_not_belong, 0,
			    sizeof(wrong) / sizeof(*wrong));
	tcase_add_loop_test(c, not_a_shard, 0, 7);
	suite_add_tcase(s, c);
	return suite_run(s, CK_FORK_GETENV);
}

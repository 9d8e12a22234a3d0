// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_counter.c - a test with libtrapline-explore, as somebody else writes it.
 *
 * consumer.sh compiles it outside of the tree against what was installed.
 */
#include "counter.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <trapline/explore.h>

static void must_hold(struct trapline_result *r, unsigned long long executions)
{
	ck_assert_msg(trapline_verdict(r) == TRAPLINE_HOLDS, "%s",
		      trapline_report(r));
	ck_assert_uint_eq(trapline_executions(r), executions);
	ck_assert_str_eq(trapline_finding(r), "none");
	ck_assert_ptr_null(trapline_schedule(r));
	trapline_result_free(r);
}

/* Violated, and so is the run of the schedule. */
static void must_fail(void (*scenario)(void *),
		      const struct trapline_options *opt, const char *line)
{
	struct trapline_result *r = trapline_explore("counter", scenario, NULL,
						     opt);
	struct trapline_result *again;

	ck_assert_int_eq(trapline_verdict(r), TRAPLINE_VIOLATED);
	ck_assert_str_eq(trapline_finding(r), "assert");
	ck_assert_ptr_nonnull(strstr(trapline_message(r), "assert("));
	ck_assert_msg(strstr(trapline_report(r), "why: in step") != NULL, "%s",
		      trapline_report(r));
	ck_assert_ptr_nonnull(strstr(trapline_report(r), "counter.scenario.c"));
	ck_assert_ptr_nonnull(trapline_schedule(r));
	ck_assert_msg(strstr(trapline_schedule(r), line) != NULL, "%s",
		      trapline_schedule(r));

	again = trapline_replay("counter", scenario, NULL,
				trapline_schedule(r));
	ck_assert_int_eq(trapline_verdict(again), TRAPLINE_VIOLATED);
	ck_assert_str_eq(trapline_message(again), trapline_message(r));
	trapline_result_free(again);
	trapline_result_free(r);
}

START_TEST(atomic_increments)
{
	unsigned long long executions = 1;

	/* in any order: the factorial */
	for (nr_threads = 1; nr_threads <= 4; nr_threads++) {
		executions *= nr_threads;
		must_hold(trapline_explore("counter", count_atomically, NULL,
					   NULL),
			  executions);
	}
}
END_TEST

START_TEST(lost_increment)
{
	must_fail(count_by_hand, NULL, "run thread until write count");
}
END_TEST

/* Several models and processes, one after another. */
START_TEST(store_buffering)
{
	struct trapline_options opt = TRAPLINE_OPTIONS;

	must_hold(trapline_explore("flags", raise_flags, NULL, &opt), 3);
	opt.memory = TRAPLINE_TSO;
	must_fail(raise_flags, &opt, "from init");
	opt.memory = TRAPLINE_LKMM;
	must_fail(raise_flags, &opt, "from init");
	opt.memory = TRAPLINE_SC;
	opt.jobs = 2;
	must_hold(trapline_explore("flags", raise_flags, NULL, &opt), 3);
}
END_TEST

START_TEST(budget)
{
	struct trapline_options opt = TRAPLINE_OPTIONS;
	struct trapline_result *r;

	nr_threads = 4;
	opt.max_executions = 5;
	r = trapline_explore("counter", count_atomically, NULL, &opt);
	ck_assert_int_eq(trapline_verdict(r), TRAPLINE_UNDECIDED);
	ck_assert_uint_eq(trapline_executions(r), 5);
	trapline_result_free(r);
}
END_TEST

static int outside;

START_TEST(foreign_memory)
{
	int *heap = calloc(1, sizeof(*heap));
	int *to[] = { &outside, heap, &(int){ 0 } };

	for (int i = 0; i < 3; i++) {
		struct trapline_result *r =
			trapline_explore("there", write_there, to[i], NULL);

		ck_assert_int_eq(trapline_verdict(r), TRAPLINE_REFUSED);
		ck_assert_ptr_nonnull(
			strstr(trapline_message(r), "do not reset"));
		ck_assert_int_eq(*to[i], 0);
		trapline_result_free(r);
	}
	must_hold(trapline_explore("there", write_there, &nr_threads, NULL), 1);
	ck_assert_int_eq(nr_threads, 2);
	free(heap);
}
END_TEST

/* What a scenario does wrong is a finding; the process that asked has no part. */
START_TEST(crash)
{
	struct sigaction before, after;
	struct trapline_result *r;

	sigaction(SIGSEGV, NULL, &before);
	r = trapline_explore("there", write_there, NULL, NULL);
	sigaction(SIGSEGV, NULL, &after);
	ck_assert_int_eq(trapline_verdict(r), TRAPLINE_VIOLATED);
	ck_assert_str_eq(trapline_finding(r), "crash");
	ck_assert_ptr_eq((void *)before.sa_handler, (void *)after.sa_handler);
	trapline_result_free(r);
}
END_TEST

START_TEST(bad_schedules)
{
	static const char foreign[] = "trapline 1 schedule\n"
				      "scenario: x\n"
				      "memory: sc\n"
				      "--\n"
				      "run nobody until end\n";
	struct trapline_result *r;

	r = trapline_replay("counter", count_by_hand, NULL, "no schedule\n");
	ck_assert_int_eq(trapline_verdict(r), TRAPLINE_ERROR);
	ck_assert_ptr_nonnull(strstr(trapline_message(r), "schedule:1:"));
	trapline_result_free(r);

	r = trapline_replay("counter", count_by_hand, NULL, foreign);
	ck_assert_int_eq(trapline_verdict(r), TRAPLINE_UNDECIDED);
	ck_assert_ptr_nonnull(strstr(trapline_message(r), "schedule:5: "));
	trapline_result_free(r);
}
END_TEST

/* Without CK_FORK all tests share one process. */
static void setup(void)
{
	nr_threads = 2;
}

int main(void)
{
	Suite *s = suite_create("counter");
	TCase *tc = tcase_create("counter");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, atomic_increments);
	tcase_add_test(tc, lost_increment);
	tcase_add_test(tc, store_buffering);
	tcase_add_test(tc, budget);
	tcase_add_test(tc, foreign_memory);
	tcase_add_test(tc, crash);
	tcase_add_test(tc, bad_schedules);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

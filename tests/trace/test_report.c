// SPDX-License-Identifier: GPL-2.0-only
/*
 * What people read: golden texts of the column report, and the JSON object.
 */
#include "fake_engine.h"
#include "follow.h"
#include "report.h"
#include "schedule.h"
#include "../suite.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct {
	uint64_t x, y, lock_a, lock_b, mine, never;
} m;

static struct node {
	uint64_t value, next;
} node;

static const struct fake_op reader[] = {
	{ OP_READ, &m.never },
	{ OP_READ, &m.x },
	{ OP_READ, &m.y, 0, true, 0 },
};
static const struct fake_op writer[] = {
	{ OP_READ, &m.never },
	{ OP_WRITE, &m.mine, 7 },
	{ OP_XCHG, &m.x, 5 },
	{ OP_WRITE, &m.y, 1 },
};
static const struct fake_thread assertion[] = { { "reader", reader, 3 },
						{ "writer", writer, 4 } };

static const struct fake_op left[] = {
	{ OP_LOCK, &m.lock_a },
	{ OP_LOCK, &m.lock_b },
};
static const struct fake_op right[] = {
	{ OP_LOCK, &m.lock_b },
	{ OP_LOCK, &m.lock_a },
};
static const struct fake_thread deadlock[] = { { "left", left, 2 },
					       { "right", right, 2 } };

static const struct fake_op user[] = {
	{ OP_READ, &node.next },
	{ OP_READ, &node.value },
};
static const struct fake_op killer[] = { { OP_FREE, &node.value } };
static const struct fake_thread freed[] = { { "user", user, 2 },
					    { "killer", killer, 1 } };

static const struct fake_op victim[] = {
	{ OP_WRITE, &m.lock_a, 1 },
	{ OP_READ, &m.x, 0, true, 0 },
};
static const struct fake_op bystander[] = { { OP_WRITE, &m.lock_a, 2 } };
static const struct fake_thread beside[] = { { "victim", victim, 2 },
					     { "bystander", bystander, 1 } };

static struct fake_op many[60];
static const struct fake_op once[] = { { OP_READ, &m.x } };
static const struct fake_thread fold[] = { { "busy", many, 60 },
					   { "other", once, 1 } };

static struct fake_heap heap[1];

static void use(const struct fake_thread *thread, const char *lines,
		struct explore_result *r)
{
	char text[500], *error;
	struct sched_error err;
	struct sched s;

	heap[0] = (struct fake_heap){ (uintptr_t)&node, sizeof(node),
				      "struct node", 1 };
	fake = (struct fake_program){ .thread = thread,
				      .threads = 2,
				      .memory = &m.x,
				      .words = 6,
				      .heap = heap,
				      .heaps = 1 };
	for (int i = 0; i < 60; i++)
		many[i] = (struct fake_op){ OP_WRITE, &m.x, i + 1 };
	snprintf(text, sizeof(text),
		 "trapline 1 schedule\nscenario: a.c\nmemory: sc\n--\n%s",
		 lines);
	ck_assert_int_eq(sched_parse(text, strlen(text), &s, &err), 0);
	follow_run(&s, "t.sched", r, &error);
	ck_assert_ptr_null(error);
	sched_free(&s);
	r->executions = 3;
	r->threads = 2;
	r->seconds = 0.125;
}

static char *report(const struct explore_result *r, int width)
{
	struct report how = { .name = "demo",
			      .width = width,
			      .schedule = "demo.fail.sched",
			      .command = "trapline replay demo.fail.sched" };
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	report_text(f, &how, r);
	fclose(f);
	return text;
}

START_TEST(assertion_in_columns)
{
	struct explore_result r;

	use(assertion, "run writer until write m.y\nrun reader until end\n",
	    &r);
	ck_assert_str_eq(
		report(&r, 80),
		"FAIL  assert: the value is not bad (demo.c:7)\n"
		"      found after 3 executions (2 threads, memory sc)\n"
		"\n"
		"   # reader                            | writer\n"
		"---- ----------------------------------+-----------------\n"
		"   1                                   | xchg m.x: 0 -> 5\n"
		"   2 read m.x = 5                      |\n"
		"   3 read m.y = 0  <-- assertion fails |\n"
		"     (3 more steps: private, or without influence)\n"
		"\n"
		"  why: in step 3 reader saw m.y = 0, the value from before "
		"the threads ran.\n"
		"\n"
		"schedule: demo.fail.sched\n"
		"replay:   trapline replay demo.fail.sched\n"
		"time:     0.12 s\n");
}
END_TEST

START_TEST(narrow_columns_wrap)
{
	struct explore_result r;

	use(assertion, "run writer until write m.y\nrun reader until end\n",
	    &r);
	ck_assert_ptr_nonnull(strstr(
		report(&r, 40), "   # reader           | writer\n"
				"---- -----------------+-----------------\n"
				"   1                  | xchg m.x: 0 -> 5\n"
				"   2 read m.x = 5     |\n"
				"   3 read m.y = 0     |\n"
				"     <-- assertion    |\n"
				"     fails            |\n"));
}
END_TEST

START_TEST(deadlock_in_columns)
{
	struct explore_result r;

	use(deadlock,
	    "run left until lock m.lock_b\n"
	    "run right until blocked\n",
	    &r);
	ck_assert_str_eq(
		report(&r, 80),
		"FAIL  deadlock: threads wait for each other\n"
		"      found after 3 executions (2 threads, memory sc)\n"
		"\n"
		"   # left                        | right\n"
		"---- "
		"----------------------------+---------------------------------"
		"------\n"
		"   1 lock m.lock_a               |\n"
		"     (preempted; holds m.lock_a) |\n"
		"   2                             | lock m.lock_b\n"
		"                                 | (waits: lock m.lock_a; "
		"holds m.lock_b)\n"
		"   3 lock m.lock_b  blocked      |\n"
		"     (holds m.lock_a)            |\n"
		"   4                             | lock m.lock_a  blocked\n"
		"                                 | (holds m.lock_b)\n"
		"\n"
		"  why: left waits in step 3 (lock m.lock_b), last changed by "
		"right in step 2;\n"
		"       right waits in step 4 (lock m.lock_a), last changed by "
		"left in step 1;\n"
		"       nobody is left to end that.\n"
		"\n"
		"schedule: demo.fail.sched\n"
		"replay:   trapline replay demo.fail.sched\n"
		"time:     0.12 s\n");
}
END_TEST

static const struct fake_op careful[] = {
	{ OP_READ, &m.x },
	{ OP_LOCK, &m.lock_a },
	{ OP_LOCK, &m.lock_b },
	{ OP_UNLOCK, &m.lock_a },
	{ OP_READ, &m.x },
	{ OP_UNLOCK, &m.lock_b },
	{ OP_READ, &m.x, 0, true, 1 },
};
static const struct fake_op careless[] = { { OP_WRITE, &m.x, 1 } };
static const struct fake_thread locks[] = { { "careful", careful, 7 },
					    { "careless", careless, 1 } };

/* Not what was dropped, nor what is locked later. */
START_TEST(locks_held_at_a_switch)
{
	struct explore_result r;

	use(locks,
	    "run careful until read m.x #2\nrun careless until end\n"
	    "run careful until end\n",
	    &r);
	ck_assert_ptr_nonnull(
		strstr(report(&r, 80), " (preempted; holds m.lock_b)"));
	ck_assert_ptr_null(strstr(report(&r, 80), "holds m.lock_a"));
}
END_TEST

static char *changelog(const struct explore_result *r)
{
	struct report how = { .name = "demo",
			      .width = 80,
			      .schedule = "demo.fail.sched",
			      .command = "trapline replay demo.fail.sched" };
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	report_changelog(f, &how, r);
	fclose(f);
	for (const char *s = text; *s; s += strcspn(s, "\n") + 1)
		ck_assert_uint_le(strcspn(s, "\n"), 72);
	return text;
}

START_TEST(for_the_message_of_a_commit)
{
	struct explore_result r;

	use(assertion, "run writer until write m.y\nrun reader until end\n",
	    &r);
	strcpy(r.message, "BUG_ON(a / b), which is a sentence that does not "
			  "fit into one line, in (dir/sub/other.c:12)");
	r.file = TRAPLINE_SOURCE_DIR "/model/a.c";
	r.line = 3;
	ck_assert_str_eq(
		changelog(&r),
		"assert: BUG_ON(a / b), which is a sentence that does not fit "
		"into one\n"
		"line, in (other.c:12) (a.c:3)\n"
		"\n"
		"     CPU0 (reader)                       CPU1 (writer)\n"
		"     -------------                       -------------\n"
		"   1                                     xchg m.x: 0 -> 5\n"
		"   2 read m.x = 5\n"
		"   3 read m.y = 0  <-- assertion fails\n"
		"\n"
		"  why: in step 3 reader saw m.y = 0, the value from before "
		"the threads\n"
		"  ran.\n");
}
END_TEST

static const struct fake_thread crowd[] = {
	{ "a_thread_with_a_name_of_some_length", left, 2 },
	{ "and_another_one_of_that_kind", right, 2 },
};

/* No columns fit: each row says whose it is. */
START_TEST(too_many_cpus_for_columns)
{
	struct explore_result r;

	use(crowd,
	    "run a_thread_with_a_name_of_some_length until lock m.lock_b\n"
	    "run and_another_one_of_that_kind until blocked\n",
	    &r);
	ck_assert_ptr_nonnull(
		strstr(changelog(&r),
		       "\n\n   1 CPU0 (a_thread_with_a_name_of_some_length): "
		       "lock m.lock_a\n"));
}
END_TEST

START_TEST(use_after_free)
{
	struct explore_result r;
	char *text;

	use(freed,
	    "run user until read node#1.value\nrun killer until end\n"
	    "run user until end\n",
	    &r);
	r.verdict = EXPLORE_VIOLATED;
	r.finding = FIND_USE_AFTER_FREE;
	r.bad_addr = (uintptr_t)&node.value;
	r.thread = 0;
	strcpy(r.message, "an object is used after it was freed");
	text = report(&r, 80);
	ck_assert_ptr_nonnull(
		strstr(text, "FAIL  use-after-free: user does 'read "
			     "node#1.value' after killer freed node#1\n"));
	ck_assert_ptr_nonnull(strstr(
		text, "   1                                           | "
		      "free node#1\n"
		      "   2 read node#1.value = 0  <-- USE AFTER FREE |"));
	ck_assert_ptr_nonnull(
		strstr(text, "  why: killer freed node#1 in step 1; user still "
			     "used it in step 2.\n"));
}
END_TEST

START_TEST(what_has_no_influence)
{
	struct explore_result r;

	use(beside,
	    "run victim until read m.x\nrun bystander until end\n"
	    "run victim until end\n",
	    &r);
	ck_assert_ptr_nonnull(
		strstr(report(&r, 80),
		       "   # victim\n"
		       "---- ---------------------------------\n"
		       "   1 write m.lock_a = 1\n"
		       "   2 read m.x = 0  <-- assertion fails\n"
		       "     (1 more step: private, or without influence)\n"));
}
END_TEST

START_TEST(long_runs_fold)
{
	struct explore_result r;
	char *text;

	use(fold, "run busy until end\n", &r);
	r.verdict = EXPLORE_VIOLATED;
	text = report(&r, 80);
	ck_assert_ptr_nonnull(strstr(text, "   8 write m.x = 8     |\n"
					   "     ... 44 more steps |\n"
					   "  53 write m.x = 53    |\n"));
	ck_assert_ptr_nonnull(strstr(text, "  61                   | read "
					   "m.x = 60\n"));
}
END_TEST

START_TEST(verdict_lines)
{
	struct explore_result r = { .verdict = EXPLORE_HOLDS,
				    .executions = 112,
				    .threads = 2,
				    .thread = -1,
				    .seconds = 1 };
	struct report how = { .name = "demo", .width = 80 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	fake = (struct fake_program){ .threads = 2, .thread = assertion };
	report_text(f, &how, &r);
	r.verdict = EXPLORE_UNDECIDED;
	r.executions = 1;
	r.blocked = 2;
	report_text(f, &how, &r);
	r.verdict = EXPLORE_REFUSED;
	r.blocked = 0;
	r.finding = FIND_UNSUPPORTED;
	r.file = TRAPLINE_SOURCE_DIR "/model/a.c";
	r.line = 3;
	strcpy(r.message, "fork");
	report_text(f, &how, &r);
	fclose(f);
	ck_assert_str_eq(
		text,
		"PASS  demo: holds in all 112 executions (2 threads, memory "
		"sc, bound: none)\n"
		"time:     1.00 s\n"
		"UNDECIDED  demo: budget spent after 1 execution, no finding "
		"so far (2 threads, memory sc)\n"
		"      2 runs ended early, blocked\n"
		"time:     1.00 s\n"
		"REFUSED  demo: fork (model/a.c:3)\n"
		"time:     1.00 s\n");
}
END_TEST

/* Functions of their own, whatever a compiler calls that. */
#if __has_attribute(noclone)
#define OWN __attribute__((noinline, noclone))
#else
#define OWN __attribute__((noinline))
#endif

OWN static void zebra(void)
{
	m.x++;
}

OWN static void ant(void)
{
	m.y++;
}

static const struct fake_function functions[] = { { zebra, true },
						  { ant, false } };

static char *cover(enum explore_verdict v, struct report how)
{
	struct explore_result r = { .verdict = v, .thread = -1 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	fake = (struct fake_program){ .function = functions, .functions = 2 };
	report_cover(f, &how, &r);
	fclose(f);
	return text;
}

START_TEST(not_reached)
{
	const struct report brief = { .width = 80 }, full = { .cover = true },
			    replay = { .cover = true, .replay = true };
	const char *line =
		"not reached: 1 of 2 functions, 0 of 0 branches (--cover lists "
		"them)\n";

	ck_assert_str_eq(cover(EXPLORE_HOLDS, brief), line);
	ck_assert_str_eq(cover(EXPLORE_UNDECIDED, brief), line);
	ck_assert_str_eq(cover(EXPLORE_VIOLATED, brief), "");
	ck_assert_str_eq(cover(EXPLORE_REFUSED, brief), "");
	ck_assert_str_eq(cover(EXPLORE_HOLDS, replay), "");
	ck_assert_str_eq(cover(EXPLORE_VIOLATED, full),
			 "not reached: 1 of 2 functions, 0 of 0 branches\n"
			 "  tests/trace/test_report.c\n"
			 "    never   ant\n"
			 "    reached zebra\n");
}
END_TEST

static const char *text_of(json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

START_TEST(one_json_object)
{
	struct report how = { .name = "a \"b\"\n", .memory = MEMORY_TSO };
	struct explore_result r;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	json_t *o;

	use(assertion, "run writer until write m.y\nrun reader until end\n",
	    &r);
	report_json(f, &how, &r);
	fclose(f);
	ck_assert_ptr_eq(strchr(text, '\n'), text + len - 1);
	o = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(text_of(o, "name"), "a \"b\"\n");
	ck_assert_str_eq(text_of(o, "verdict"), "violated");
	ck_assert_str_eq(text_of(o, "finding"), "assert");
	ck_assert_str_eq(text_of(o, "memory"), "tso");
	ck_assert_int_eq(json_integer_value(json_object_get(o, "executions")),
			 3);
	ck_assert(json_is_integer(json_object_get(o, "blocked")));
	ck_assert(json_is_real(json_object_get(o, "seconds")));
	ck_assert_uint_eq(json_array_size(json_object_get(o, "steps")), 3);
	json_decref(o);
}
END_TEST

START_TEST(kinds_have_names)
{
	for (int f = FIND_ASSERT; f <= FIND_UNSUPPORTED; f++) {
		ck_assert_str_ne(report_kind(f), "none");
		ck_assert_int_eq(report_find_kind(report_kind(f)), f);
	}
	ck_assert_int_eq(report_find_kind("none"), FIND_NONE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tc = tcase_create("report");

	tcase_add_test(tc, assertion_in_columns);
	tcase_add_test(tc, narrow_columns_wrap);
	tcase_add_test(tc, deadlock_in_columns);
	tcase_add_test(tc, locks_held_at_a_switch);
	tcase_add_test(tc, for_the_message_of_a_commit);
	tcase_add_test(tc, too_many_cpus_for_columns);
	tcase_add_test(tc, use_after_free);
	tcase_add_test(tc, what_has_no_influence);
	tcase_add_test(tc, long_runs_fold);
	tcase_add_test(tc, verdict_lines);
	tcase_add_test(tc, not_reached);
	tcase_add_test(tc, one_json_object);
	tcase_add_test(tc, kinds_have_names);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}

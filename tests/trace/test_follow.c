// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following a schedule, deriving one from a violation, and the errors of a
 * schedule that does not fit its program.
 */
#include "fake_engine.h"
#include "follow.h"
#include "names.h"
#include "schedule.h"
#include "../suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct {
	uint64_t x, y, lock, priv_a, priv_b, state;
} m;

#define RD(w)                 \
	{                     \
		OP_READ, &m.w \
	}
#define WR(w, v)                  \
	{                         \
		OP_WRITE, &m.w, v \
	}

/* b fails if it finds x changed between its two reads' neighbourhood. */
static const struct fake_op a_ops[] = {
	WR(priv_a, 1), WR(x, 1), RD(priv_a), WR(x, 2), WR(priv_a, 2), WR(x, 3),
};
static const struct fake_op b_ops[] = {
	RD(priv_b), RD(y), RD(y), { OP_READ, &m.x, 0, true, 2 }, RD(y),
};
static const struct fake_thread ab[] = {
	{ "a", a_ops, 6 },
	{ "b", b_ops, 5 },
};

/* Two locks, taken in opposite order. */
static const struct fake_op abba_a[] = {
	{ OP_LOCK, &m.lock },
	{ OP_LOCK, &m.state },
	{ OP_UNLOCK, &m.state },
	{ OP_UNLOCK, &m.lock },
};
static const struct fake_op abba_b[] = {
	{ OP_LOCK, &m.state },
	{ OP_LOCK, &m.lock },
	{ OP_UNLOCK, &m.lock },
	{ OP_UNLOCK, &m.state },
};
static const struct fake_thread abba[] = {
	{ "a", abba_a, 4 },
	{ "b", abba_b, 4 },
};

/* A wake-up that comes before the sleep. */
static const struct fake_op wake_ops[] = {
	{ OP_WAKE, &m.state },
	WR(y, 1),
};
static const struct fake_op sleep_ops[] = {
	WR(state, 1),
	{ OP_SLEEP, &m.state },
};
static const struct fake_thread lost[] = { { "waker", wake_ops, 2 },
					   { "sleeper", sleep_ops, 2 } };

static void use(const struct fake_thread *thread, int n)
{
	fake = (struct fake_program){ .thread = thread,
				      .threads = n,
				      .memory = &m.x,
				      .words = sizeof(m) / sizeof(m.x) };
}

static void follow(const char *lines, struct explore_result *r, char **error)
{
	char text[2000];
	struct sched_error err;
	struct sched s;

	snprintf(text, sizeof(text),
		 "trapline 1 schedule\nscenario: a.c\nmemory: sc\n--\n%s",
		 lines);
	ck_assert_int_eq(sched_parse(text, strlen(text), &s, &err), 0);
	follow_run(&s, "t.sched", r, error);
	sched_free(&s);
}

static char *lines_of(const struct sched *s)
{
	static const char head[] = "--\n";
	char *text, *body;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	sched_write(f, s);
	fclose(f);
	body = strdup(strstr(text, head) + strlen(head));
	free(text);
	return body;
}

START_TEST(stops_just_before_the_point)
{
	struct explore_result r;
	char *error;

	use(ab, 2);
	follow("run a until write m.x #3\nrun b until end\n", &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(r.finding, FIND_ASSERT);
	ck_assert_uint_eq(m.x, 2);

	/* Without a number: the next one; a second line moves on. */
	follow("run a until write m.x\nrun a until write m.x\n"
	       "run b until end\n",
	       &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(r.finding, FIND_NONE);
	ck_assert_int_eq(r.steps[2].thread, 0);
	ck_assert_int_eq(r.steps[3].thread, 1);
	ck_assert_uint_eq(m.x, 3);
	ck_assert_int_eq(r.verdict, EXPLORE_HOLDS);

	/* An object stands for its fields, an operation for any object. */
	follow("run b until read m #3\nrun a until read\n", &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(r.steps[1].thread, 1);
	ck_assert_int_eq(r.steps[2].thread, 0);
	ck_assert_int_eq(r.steps[4].op, OP_READ);
}
END_TEST

START_TEST(blocked_and_deadlock)
{
	struct explore_result r;
	char *error;

	use(abba, 2);
	follow("run a until lock m.state\nrun b until blocked\n", &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(r.finding, FIND_DEADLOCK);
	follow("run a until end\n", &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(r.verdict, EXPLORE_HOLDS);
}
END_TEST

static const struct {
	const char *lines, *error;
} wrong[] = {
	{ "run a until end\nrun c until end\n",
	  "t.sched:6: no thread 'c' now; there are: a, b" },
	{ "run a until frob m.x\n",
	  "t.sched:5: no operation is called 'frob'" },
	{ "run a until read m.y\n",
	  "t.sched:5: a ended without coming to 'read m.y'" },
	{ "run a until lock m.state\n\nrun b until end\n",
	  "t.sched:7: b did not come to its end: it is blocked in "
	  "'lock m.lock'" },
	{ "run a until unlock m.lock\nrun a until lock m.lock #1\n",
	  "t.sched:6: a did not come to 'lock m.lock #1': it is past that, at "
	  "'unlock m.lock'" },
	{ "run a until blocked\n",
	  "t.sched:5: a ended without coming to being blocked" },
};

START_TEST(divergence_names_line_and_operation)
{
	struct explore_result r;
	char *error;

	use(abba, 2);
	follow(wrong[_i].lines, &r, &error);
	ck_assert_ptr_nonnull(error);
	ck_assert_str_eq(error, wrong[_i].error);
	ck_assert_int_eq(r.verdict, EXPLORE_UNDECIDED);
	free(error);
}
END_TEST

/* Chooses at random, a function of the seed. */
static int random_pick(void *arg, const struct explore_step *p, int n)
{
	unsigned long *seed = arg;

	for (int i = 0; i < 1000; i++) {
		int t;

		*seed = *seed * 6364136223846793005ul + 1442695040888963407ul;
		t = (*seed >> 33) % n;
		if (p[t].op != OP_END && !p[t].blocked)
			return t;
	}
	return -1;
}

/* As a search reports it: no operations on private memory. */
static void drop_private(struct explore_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nr_steps; i++) {
		if (r->steps[i].addr != (uintptr_t)&m.priv_a &&
		    r->steps[i].addr != (uintptr_t)&m.priv_b)
			r->steps[n++] = r->steps[i];
	}
	r->nr_steps = n;
}

static void check_same(const struct explore_result *a,
		       const struct explore_result *b)
{
	ck_assert_int_eq(a->finding, b->finding);
	ck_assert_uint_eq(a->nr_steps, b->nr_steps);
	for (size_t i = 0; i < a->nr_steps; i++) {
		/* Who waits last in a deadlock is told by thread number. */
		ck_assert_int_eq(a->steps[i].thread, b->steps[i].thread);
		ck_assert_int_eq(a->steps[i].op, b->steps[i].op);
		ck_assert_uint_eq(a->steps[i].addr, b->steps[i].addr);
		ck_assert_uint_eq(a->steps[i].old, b->steps[i].old);
	}
}

/* Any violation, however it came about: derived, written, read, followed. */
START_TEST(derived_schedules_repeat)
{
	int violations = 0;

	use(_i ? abba : ab, 2);
	for (unsigned long round = 1; round <= 2000; round++) {
		unsigned long seed = round;
		struct explore_chooser chooser = { .pick = random_pick,
						   .arg = &seed };
		struct explore_result r, again;
		struct sched s = { 0 };
		char *lines, *error;

		explore_sequential(&chooser, &r);
		if (r.verdict != EXPLORE_VIOLATED)
			continue;
		violations++;
		drop_private(&r);
		ck_assert_int_eq(follow_derive(&r, &s), 0);
		s.scenario = strdup("a.c");
		s.memory = strdup("sc");
		lines = lines_of(&s);
		follow(lines, &again, &error);
		ck_assert_msg(!error, "%s in\n%s", error, lines);
		drop_private(&again);
		check_same(&r, &again);
		ck_assert_uint_le(s.nr_runs, r.nr_steps + 1);
		sched_free(&s);
		free(lines);
		free(r.steps);
		free(again.steps);
	}
	ck_assert_int_gt(violations, 100);
}
END_TEST

/* The anchors are what a person would have written. */
START_TEST(derived_lines)
{
	struct explore_result r;
	struct sched s = { 0 };
	char *error, *lines;

	use(ab, 2);
	follow("run b until read m.y #2\nrun a until write m.x #3\n"
	       "run b until end\n",
	       &r, &error);
	drop_private(&r);
	ck_assert_int_eq(follow_derive(&r, &s), 0);
	s.scenario = strdup("a.c");
	s.memory = strdup("sc");
	lines = lines_of(&s);
	ck_assert_str_eq(lines, "run b until read m.y #2\n"
				"run a until write m.priv_a #2\n"
				"run b until end\n");
	sched_free(&s);
	free(lines);
}
END_TEST

static const struct {
	const struct fake_thread *thread;
	const char *lines;
} deadlocks[] = {
	{ abba, "run a until lock m.state\nrun b until blocked\n" },
	{ lost, "run waker until write m.y\nrun sleeper until blocked\n"
		"run waker until end\n" },
};

/* Who waits is said to be blocked, not to come to a lock. */
START_TEST(derived_lines_of_a_deadlock)
{
	struct explore_result r;
	struct sched s = { 0 };
	char *error, *lines;

	use(deadlocks[_i].thread, 2);
	follow(deadlocks[_i].lines, &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(follow_derive(&r, &s), 0);
	s.scenario = strdup("a.c");
	s.memory = strdup("sc");
	lines = lines_of(&s);
	ck_assert_str_eq(lines, deadlocks[_i].lines);
	sched_free(&s);
	free(lines);
}
END_TEST

/* A search that claims what cannot be repeated is caught. */
START_TEST(impossible_steps_are_refused)
{
	struct explore_result r;
	struct sched s = { 0 };
	char *error;

	use(ab, 2);
	follow("run a until write m.x #3\nrun b until end\n", &r, &error);
	r.steps[0].thread = 1; /* b never writes */
	ck_assert_int_eq(follow_derive(&r, &s), -ESRCH);
	sched_free(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("follow");
	TCase *tc = tcase_create("follow");

	tcase_add_test(tc, stops_just_before_the_point);
	tcase_add_test(tc, blocked_and_deadlock);
	tcase_add_loop_test(tc, divergence_names_line_and_operation, 0,
			    sizeof(wrong) / sizeof(*wrong));
	tcase_add_loop_test(tc, derived_schedules_repeat, 0, 2);
	tcase_add_test(tc, derived_lines);
	tcase_add_loop_test(tc, derived_lines_of_a_deadlock, 0, 2);
	tcase_add_test(tc, impossible_steps_are_refused);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}

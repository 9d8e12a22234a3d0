// SPDX-License-Identifier: GPL-2.0-only
/*
 * A schedule made smaller: it fails as before, and nothing more can go.
 */
#include "fake_engine.h"
#include "follow.h"
#include "schedule.h"
#include "shrink.h"
#include "../suite.h"

#include <string.h>

static struct {
	uint64_t x, y, z;
} m;

/* b fails if it comes while x is 1. */
static const struct fake_op a_ops[] = {
	{ OP_WRITE, &m.y, 1 }, { OP_WRITE, &m.x, 1 }, { OP_WRITE, &m.y, 2 },
	{ OP_WRITE, &m.x, 2 }, { OP_WRITE, &m.y, 3 },
};
static const struct fake_op b_ops[] = {
	{ OP_READ, &m.z },
	{ OP_READ, &m.x, 0, true, 1 },
	{ OP_READ, &m.z },
};
static const struct fake_op c_ops[] = {
	{ OP_WRITE, &m.z, 1 },
	{ OP_WRITE, &m.z, 2 },
	{ OP_READ, &m.x, 0, true, 9 },
};
static const struct fake_thread abc[] = { { "a", a_ops, 5 },
					  { "b", b_ops, 3 },
					  { "c", c_ops, 3 } };

static void parse(const char *lines, struct sched *s)
{
	char text[1000];
	struct sched_error err;

	fake = (struct fake_program){
		.thread = abc, .threads = 3, .memory = &m.x, .words = 3
	};
	snprintf(text, sizeof(text),
		 "trapline 1 schedule\nscenario: a.c\nmemory: sc\n--\n%s",
		 lines);
	ck_assert_int_eq(sched_parse(text, strlen(text), s, &err), 0);
}

static char *smaller(const char *lines)
{
	struct explore_result r;
	struct sched s;
	char *error, *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	parse(lines, &s);
	follow_run(&s, "t.sched", &r, &error);
	ck_assert_ptr_null(error);
	ck_assert_int_eq(r.verdict, EXPLORE_VIOLATED);
	shrink(&s, &r);
	sched_write(f, &s);
	fclose(f);
	ck_assert_msg(shrink_preemptions(&s) == 1, "%s", text);
	sched_free(&s);
	return strstr(text, "--\n") + 3;
}

START_TEST(what_is_not_needed_goes)
{
	static const char *const noisy[] = {
		"run a until write m.x #2\nrun b until end\n",
		"run a until write m.x\nrun a until write m.x\n"
		"run b until read m.x\nrun b until end\nrun a until end\n",
		"run c until write m.z #2\nrun b until read m.z\n"
		"run a until write m.x\nrun c until end\nrun a until write "
		"m.y\n"
		"run a until write m.x\nrun b until read m.x\n"
		"run b until read m.z\n",
	};

	for (int i = 0; i < 3; i++) {
		char *text = smaller(noisy[i]);
		int lines = 0;

		for (const char *s = text; *s; s++)
			lines += *s == '\n';
		ck_assert_msg(lines == 2, "%s", text);
		ck_assert_ptr_nonnull(strstr(text, "run b until end\n"));
		/* once more changes nothing */
		ck_assert_str_eq(smaller(text), text);
	}
}
END_TEST

/* What fails elsewhere, or cannot be followed, is no smaller version. */
START_TEST(another_failure_is_another)
{
	struct explore_result r;
	struct sched s;
	char *error;

	parse("run a until write m.x #2\nrun b until end\n", &s);
	follow_run(&s, "t.sched", &r, &error);
	ck_assert_int_eq(r.thread, 1);
	r.line++;
	shrink(&s, &r);
	ck_assert_uint_eq(s.nr_runs, 2);
	r.line--;
	r.finding = FIND_WARN;
	shrink(&s, &r);
	ck_assert_uint_eq(s.nr_runs, 2);
	sched_free(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shrink");
	TCase *tc = tcase_create("shrink");

	tcase_add_test(tc, what_is_not_needed_goes);
	tcase_add_test(tc, another_failure_is_another);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}

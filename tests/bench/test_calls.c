// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_calls.c - the system calls that a hit costs, exactly: the part of its
 * speed that does not depend on the machine. One call more fails here; if it is
 * needed, its word belongs into the table.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rows.h"
#include "../suite.h"

static const struct {
	const char *row, *calls;
} expected[] = {
	{ "emulated", "look siginfo getregs write:8 poke:152 syscall" },
	{ "stepped", "look siginfo getregs poke:128 syscall" },
	{ "stepped, two stops",
	  "look siginfo getregs getmask setmask poke:128 cont "
	  "look siginfo getregs peeksiginfo peeksiginfo setmask poke:128 "
	  "syscall" },
	{ "stepped by the CPU",
	  "look siginfo getregs getmask setmask poke:128 step "
	  "look siginfo getregs peeksiginfo peeksiginfo setmask poke:128 "
	  "syscall" },
	{ "entry and return",
	  "look siginfo getregs read:8 write:8 write:8 poke:152 syscall "
	  "look siginfo getregs poke:128 syscall" },
};

static struct row *find_row(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_rows; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

START_TEST(hit_makes_these_calls)
{
	struct row *row = find_row(expected[_i].row);
	const char *why = "";
	char text[1024];

	ck_assert_ptr_nonnull(row);
	ck_assert_msg(!row_record(row, &why), "%s: %s", row->name, why);
	ck_assert_str_eq(recipe_text(&row->same, text, sizeof(text)),
			 expected[_i].calls);
}
END_TEST

/* The bare loop does what is needed: the program comes to its right end. */
static void check_yardstick(const struct row *row, const char *calls,
			    int must_fail)
{
	struct series times = { .nr = 0 };
	const char *why = "";
	struct recipe r;
	int out[2], err;

	ck_assert_int_eq(recipe_parse(calls, &r), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	err = yardstick_run(row->hit, &r, 3, 10, out[1], &why);
	close(out[1]);
	series_read(&times, out[0]);
	ck_assert_msg(!err == !must_fail, "%s, %s: %s", row->name, calls, why);
	if (!must_fail)
		ck_assert_uint_eq(times.nr, 3);
}

START_TEST(yardsticks_are_complete)
{
	struct row *row = find_row(expected[_i].row);

	check_yardstick(row, expected[_i].calls, 0);
	check_yardstick(row, row->minimal, 0);
}
END_TEST

START_TEST(yardstick_tells_what_is_missing)
{
	check_yardstick(find_row("emulated"), "wait getregs setregs cont", 1);
	check_yardstick(find_row("emulated"),
			"wait getregs write:8 write:8 setregs cont", 1);
}
END_TEST

int main(void)
{
	const int n = sizeof(expected) / sizeof(*expected);
	Suite *s = suite_create("calls");
	TCase *tc = tcase_create("calls");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, hit_makes_these_calls, 0, n);
	tcase_add_loop_test(tc, yardsticks_are_complete, 0, n);
	tcase_add_test(tc, yardstick_tells_what_is_missing);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}

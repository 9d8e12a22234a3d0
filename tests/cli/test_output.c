// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_output.c - output that cannot be written is told, by every command.
 */
#include <stdlib.h>

#include "command.h"
#include "../suite.h"

static const char *const commands[] = {
	"$T --help",
	"$T --version",
	"$T races",
	"$T races why slot-wakeup",
	"$T insn --help",
	"$T insn libc.so.6:getpid",
	"$T insn libc.so.6", /* more than is buffered */
	"$T explore $S/tests/litmus/shapes/SB.litmus",
	"$T explore $P/counter.c --schedule-out s",
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

START_TEST(full)
{
	ck_assert_int_eq(command("%s >/dev/full", commands[_i]), 125);
	command_says(command_err, "trapline: stdout: ");
	command_says(command_err,
		     "; the output is not complete, write it to another place");
}
END_TEST

/* What is opened meanwhile must not get it either. */
START_TEST(closed)
{
	ck_assert_int_eq(command("%s >&-", commands[_i]), 125);
	command_says(command_err, "trapline: stdout: ");
}
END_TEST

/* All that is needed was read; nobody is told. */
START_TEST(reader_gone)
{
	ck_assert_int_eq(
		command("{ $T insn libc.so.6; echo $? >status; } | true; "
			"read s <status; exit $s"),
		141);
	ck_assert_str_eq(command_err, "");
}
END_TEST

/* Where there is nothing to say, it does not matter. */
START_TEST(silent)
{
	ck_assert_int_eq(command("$T nonsense >&- <&-"), 2);
	ck_assert_int_eq(command("$T --version 2>&-"), 0);
}
END_TEST

/* A program finds closed what was closed. */
START_TEST(inherited)
{
	ck_assert_int_eq(command("$T trace -c -o hits -e p:libc.so.6:write -- "
				 "sh -c '! { true >&0; } 2>&-' <&-"),
			 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output");
	TCase *tc = tcase_create("output");

	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, full, 0, NR_COMMANDS);
	tcase_add_loop_test(tc, closed, 0, NR_COMMANDS);
	tcase_add_test(tc, reader_gone);
	tcase_add_test(tc, silent);
	tcase_add_test(tc, inherited);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}

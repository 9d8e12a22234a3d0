// SPDX-License-Identifier: GPL-2.0-only
/*
 * trapline host, as a user meets it: on a kernel tree of two files.
 */
#include "command.h"
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define HOST "$T host tree --file lib/take.c $P/hosted.c -- -DTAKE=take "

static void make_tree(void)
{
	command_setup();
	ck_assert_int_eq(command("cp -r $S/tests/cli/tree ."), 0);
}

START_TEST(explores)
{
	ck_assert_int_eq(command(HOST "-DLEFT=0"), 0);
	command_says(command_out, "PASS  hosted: holds in all 1 execution ");
	ck_assert_int_eq(command(HOST "-DLEFT=2 --memory tso -q"), 1);
	command_says(command_out, "FAIL  assert: ");
	command_says(command_out, "memory tso)");
	command_says(command_out, "take_inline (hosted-6.12.300-");
	command_says(command_out, "take (hosted-6.12.300-");
	command_says(command_out, "/lib/take.c:9)");
}
END_TEST

/* The copies are the tree's, and a schedule needs the tree no more. */
START_TEST(replays)
{
	ck_assert_int_eq(command(HOST "-DLEFT=2 -q"), 1);
	ck_assert_int_eq(command("for f in lib/take.c include/linux/objpool.h;"
				 "do cmp tree/$f hosted-6.12.300-*/$f || exit;"
				 "done; grep -c ^include: hosted.fail.sched"),
			 0);
	ck_assert_str_eq(command_out, "1\n");
	ck_assert_int_eq(command("mv tree away && $T replay hosted.fail.sched"),
			 0);
	command_says(command_out, "FAIL  assert: ");
}
END_TEST

/* A file may be a header with inline functions; then nothing else is compiled. */
START_TEST(header_alone)
{
	ck_assert_int_eq(command("$T host tree --file include/linux/objpool.h "
				 "$P/hosted.c -- -DTAKE=take_inline -DLEFT=2 "
				 "-q"),
			 1);
	command_says(command_out, "/include/linux/objpool.h:");
	ck_assert_int_eq(command("ls hosted-6.12.300-*/lib"), 2);
}
END_TEST

static const struct {
	const char *arguments, *says;
} wrong[] = {
	{ "tree $P/hosted.c", "which file of the tree? --file=PATH" },
	{ "tree --file lib/take.c", "expected a kernel tree and a scenario" },
	{ "tree --file lib/take.c $P/hosted.c t.c", "one scenario at a time" },
	{ "lost --file lib/take.c $P/hosted.c",
	  "lost is no kernel tree: No such file or directory" },
	{ "tree/lib --file take.c $P/hosted.c",
	  "tree/lib is no kernel tree: No such" },
	{ "empty --file lib/take.c $P/hosted.c",
	  "empty is no kernel tree: its Makefile names no VERSION" },
	{ "tree --file lib/give.c $P/hosted.c",
	  "cannot read tree/lib/give.c: No such file" },
	{ "tree --file lib $P/hosted.c",
	  "cannot read tree/lib: Is a directory" },
	{ "tree --file lib/nothing.c $P/hosted.c",
	  "cannot read tree/lib/nothing.c: it is empty" },
	{ "tree --file $PWD/tree/lib/take.c $P/hosted.c",
	  "name the file as it is" },
	{ "tree --file ../s.c $P/hosted.c", "name the file as it is" },
	{ "tree --file lib/more.c $P/hosted.c",
	  "lib/more.c:1 needs linux/perf_event.h, which model/linux/" },
	{ "tree --file lib/more.c $P/hosted.c",
	  "lib/more.c:2 needs mm.h, which model/linux/" },
	{ "tree --file lib/take.c none.c", "cannot read none.c" },
};

START_TEST(refuses)
{
	ck_assert_int_eq(command("mkdir empty && echo NAME = x >empty/Makefile;"
				 ">tree/lib/nothing.c;"
				 "printf '#include <linux/perf_event.h>\n"
				 "# include \"mm.h\"\n' >tree/lib/more.c"),
			 0);
	ck_assert_int_eq(command("$T host %s", wrong[_i].arguments), 2);
	command_says(command_err, wrong[_i].says);
	/* What cannot be explored is not copied. */
	ck_assert_int_eq(command("ls | grep hosted"),
			 !strstr(wrong[_i].arguments, "none.c"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("host");
	TCase *tc = tcase_create("a tree of two files");

	tcase_add_checked_fixture(tc, make_tree, command_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, explores);
	tcase_add_test(tc, replays);
	tcase_add_test(tc, header_alone);
	tcase_add_loop_test(tc, refuses, 0, sizeof(wrong) / sizeof(*wrong));
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}

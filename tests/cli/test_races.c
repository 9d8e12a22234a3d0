// SPDX-License-Identifier: GPL-2.0-only
/*
 * trapline races, as a user meets it: the list, both sides of a race, its story.
 */
#include "command.h"
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

/* Before the other one in the text. */
static void in_order(const char *text, const char *first, const char *second)
{
	const char *a, *b;

	command_says(text, first);
	command_says(text, second);
	a = strstr(text, first);
	b = strstr(text, second);
	ck_assert_msg(a < b, "'%s' after '%s'", first, second);
}

START_TEST(listed)
{
	ck_assert_int_eq(command("$T races"), 0);
	command_says(command_out, "NAME               BUG  KIND    OF");
	command_says(command_out, "\npool-reuse         -    seeded  model"
				  "             holds           ");
	command_says(command_out,
		     "\n                                unfix.patch"
		     "       bad-unlock      ");
	command_says(command_out, "\nslot-barrier       B30  fixed   model ");
	command_says(command_out, "\nfree-order         -    latent  model"
				  "             use-after-free  ");
	/* All of them. */
	ck_assert_int_eq(command("test $($T races | grep -c '^[a-z]') = "
				 "$(ls $S/traces/races | wc -l)"),
			 0);
}
END_TEST

START_TEST(both_sides)
{
	ck_assert_int_eq(command("$T races run slot-wakeup"), 0);
	in_order(command_out,
		 "FAIL  deadlock: ", "expected: violated deadlock\n");
	ck_assert_int_eq(command("$T races run --fixed slot-wakeup"), 0);
	in_order(command_out, "PASS  slot-wakeup: ", "expected: holds\n");
	ck_assert_str_eq(command_err, "");
}
END_TEST

/* The model itself fails; with the patch it is right. */
START_TEST(latent)
{
	ck_assert_int_eq(command("$T races run pool-store-buffer"), 0);
	command_says(command_out, "memory tso)");
	command_says(command_out, "expected: violated bad-unlock\n");
	ck_assert_int_eq(command("$T races run pool-store-buffer --fixed"), 0);
	command_says(command_out, "expected: holds\n");
}
END_TEST

/* The other side is another design, not a patch. */
START_TEST(other_design)
{
	ck_assert_int_eq(command("$T races run red-zone"), 0);
	command_says(command_out, "expected: violated assert\n");
	ck_assert_int_eq(command("$T races run red-zone --fixed"), 0);
	in_order(command_out, "PASS  red-zone: ", "expected: holds\n");
	ck_assert_int_eq(command("$T races"), 0);
	command_says(command_out,
		     "\n                                variant=7.2"
		     "       holds           ");
}
END_TEST

/* Each memory model has verdicts of its own. */
START_TEST(other_memory)
{
	ck_assert_int_eq(
		command("mkdir -p t/traces/races;"
			"ln -s $S/arch $S/model $S/sim t;"
			"cp -r $S/traces/races/slot-wakeup t/traces/races;"
			"printf 'memory: sc\nmodel: holds\ntso model: holds\n"
			"tso unfix.patch: violated deadlock\n' "
			">t/traces/races/slot-wakeup/expect"),
		0);
	ck_assert_int_eq(command("TRAPLINE_SOURCE=$PWD/t $T races"), 0);
	command_says(command_out, " model             holds           "
				  "holds           -\n");
	command_says(command_out, " unfix.patch       -               "
				  "deadlock        -\n");
	ck_assert_int_eq(command("TRAPLINE_SOURCE=$PWD/t "
				 "$T races run slot-wakeup --memory tso"),
			 0);
	command_says(command_out, "memory tso)");
	ck_assert_int_eq(
		command("TRAPLINE_SOURCE=$PWD/t $T races run slot-wakeup"), 2);
	command_says(command_err, "nothing fails under sc, as far as is known");
}
END_TEST

START_TEST(every_patch)
{
	ck_assert_int_eq(command("$T races run counter-mismatch"), 0);
	in_order(command_out, "BUG_ON(user_counter(mm, n) != 1)",
		 "BUG_ON(IS_ERR(uprobe_register(");
}
END_TEST

START_TEST(story_and_columns)
{
	ck_assert_int_eq(command("$T races why slot-wakeup"), 0);
	in_order(command_out, "# slot-wakeup: the last slot is freed",
		 "# The schedule ");
	in_order(command_out, "found.sched:\n\nFAIL  deadlock: ", "# stepper");
	ck_assert_ptr_null(strstr(command_out, "SPDX"));
	/* One that follows the story is preferred. */
	ck_assert_int_eq(command("$T races why pool-reuse"), 0);
	command_says(command_out, "by-hand.sched:\n");
}
END_TEST

/* A catalogue of the user's own, which is wrong. */
START_TEST(not_as_expected)
{
	ck_assert_int_eq(
		command("mkdir -p t/traces/races;"
			"ln -s $S/arch $S/model $S/sim t;"
			"cp -r $S/traces/races/slot-wakeup t/traces/races;"
			"cd t/traces/races/slot-wakeup;"
			"sed -i 's/holds/violated assert/' expect"),
		0);
	ck_assert_int_eq(
		command("TRAPLINE_SOURCE=$PWD/t $T races run slot-wakeup"), 1);
	command_says(command_out, "PASS  slot-wakeup: ");
	command_says(command_err,
		     "trapline: slot-wakeup: expected of model: violated "
		     "assert; this is: holds\n");
	ck_assert_int_eq(command("TRAPLINE_SOURCE=$PWD/t $T races run "
				 "slot-wakeup --fixed"),
			 2);
	command_says(command_err, "nothing holds under sc");
}
END_TEST

static const struct {
	const char *line, *says;
} usage[] = {
	{ "$T races run slot-wakup", "did you mean 'slot-wakeup'?" },
	{ "$T races why nothing-like-it", "trapline races lists them" },
	{ "$T races why ../races/slot-wakeup", "trapline races lists them" },
	{ "$T races run", "run: which race?" },
	{ "$T races run slot-wakeup --memory arm",
	  "'arm': expected sc, tso or lkmm" },
	{ "$T races walk slot-wakeup", "'walk': expected run or why" },
	{ "$T races run slot-wakeup pool-reuse", "one race at a time" },
	{ "$T races --fixed", "--fixed and --memory are for run" },
	{ "$T races why slot-wakeup --fixed",
	  "--fixed and --memory are for run" },
	{ "TRAPLINE_SOURCE=/no $T races",
	  "no races in /no/traces/races: No such file or directory; "
	  "TRAPLINE_SOURCE" },
	{ "TRAPLINE_SOURCE=/no $T races run slot-wakeup", "no races in /no/" },
};

START_TEST(usage_errors)
{
	ck_assert_int_eq(command("%s", usage[_i].line), 2);
	command_says(command_err, usage[_i].says);
	ck_assert_str_eq(command_out, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("races");
	TCase *tc = tcase_create("races");

	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, listed);
	tcase_add_test(tc, both_sides);
	tcase_add_test(tc, latent);
	tcase_add_test(tc, other_design);
	tcase_add_test(tc, other_memory);
	tcase_add_test(tc, every_patch);
	tcase_add_test(tc, story_and_columns);
	tcase_add_test(tc, not_as_expected);
	tcase_add_loop_test(tc, usage_errors, 0,
			    sizeof(usage) / sizeof(*usage));
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_litmus.c - `trapline explore FILE.litmus` as a user meets it.
 */
#include "command.h"
#include "../suite.h"

#include <stdio.h>
#include <string.h>

#define SHAPES "$S/tests/litmus/shapes/"

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* The lines of herd, to the letter. */
START_TEST(text)
{
	ck_assert_int_eq(command("$T explore " SHAPES "SB.litmus --memory tso"),
			 0);
	command_says(command_out, "Test SB Allowed\n"
				  "States 4\n"
				  "0:r0=0; 1:r0=0;\n"
				  "0:r0=0; 1:r0=1;\n"
				  "0:r0=1; 1:r0=0;\n"
				  "0:r0=1; 1:r0=1;\n"
				  "Ok\n"
				  "Witnesses\n"
				  "Positive: 1 Negative: 3\n"
				  "Condition exists (0:r0=0 /\\ 1:r0=0)\n"
				  "Observation SB Sometimes 1 3\n"
				  "Memory tso, every execution\n");
	ck_assert_int_eq(command("$T explore " SHAPES "SB.litmus"), 0);
	command_says(command_out, "\nNo\n");
	command_says(command_out, "Observation SB Never 0 3\n");
}
END_TEST

/* ~exists: the witnesses are those for the claim, the observation is not. */
START_TEST(quantifiers)
{
	write_file("q.litmus", "C q\n{}\nP0(int *x) { WRITE_ONCE(*x, 1); }\n"
			       "P1(int *x) { int r0; r0 = READ_ONCE(*x); }\n"
			       "locations [x]\n~exists (1:r0=1)\n");
	ck_assert_int_eq(command("$T explore q.litmus"), 0);
	command_says(command_out, "Test q Forbidden\n"
				  "States 2\n"
				  "1:r0=0; [x]=1;\n"
				  "1:r0=1; [x]=1;\n"
				  "No\n"
				  "Witnesses\n"
				  "Positive: 1 Negative: 1\n"
				  "Condition ~exists (1:r0=1)\n"
				  "Observation q Sometimes 1 1\n");
	ck_assert_int_eq(command("$T explore q.litmus --format json"), 0);
	command_says(command_out, "\"verdict\":\"violated\",\"ok\":false");
	ck_assert_int_eq(command("sed -i s/~exists/exists/ q.litmus; "
				 "$T explore q.litmus --format json"),
			 0);
	command_says(command_out, "\"verdict\":\"holds\",\"ok\":true");
	ck_assert_int_eq(command("sed -i s/exists/forall/ q.litmus; "
				 "$T explore q.litmus"),
			 0);
	command_says(command_out, "Test q Required\n");
	command_says(command_out, "\nNo\n");
}
END_TEST

/* What the filter leaves out is in no state and in no count. */
START_TEST(filter)
{
	ck_assert_int_eq(
		command("sed \"s/^exists/filter (0:r0=1)\\nexists/\" " SHAPES
			"SB.litmus >f.litmus; "
			"$T explore f.litmus --memory tso"),
		0);
	command_says(command_out, "States 2\n"
				  "0:r0=1; 1:r0=0;\n"
				  "0:r0=1; 1:r0=1;\n"
				  "No\n");
	command_says(command_out, "Observation SB Never 0 2\n");
}
END_TEST

START_TEST(lkmm_says_its_limits)
{
	ck_assert_int_eq(command("$T explore " SHAPES "LB.litmus "
				 "--memory lkmm"),
			 0);
	command_says(command_out, "(load buffering not explored; no "
				  "dependencies but rcu_dereference)\n");
	ck_assert_int_eq(command("$T explore " SHAPES "LB.litmus "
				 "--memory lkmm --deps all"),
			 0);
	command_says(command_out, "Memory lkmm, every execution under "
				  "--deps=all, not a proof\n"
				  "(load buffering not explored; every read "
				  "ordered before later writes)\n");
}
END_TEST

START_TEST(deadlock)
{
	write_file("abba.litmus", "C abba\n{}\n"
				  "P0(spinlock_t *l, spinlock_t *m)\n{\n"
				  "\tspin_lock(l);\n\tspin_lock(m);\n"
				  "\tspin_unlock(m);\n\tspin_unlock(l);\n}\n"
				  "P1(spinlock_t *l, spinlock_t *m)\n{\n"
				  "\tspin_lock(m);\n\tspin_lock(l);\n"
				  "\tspin_unlock(l);\n\tspin_unlock(m);\n}\n"
				  "forall (true)\n");
	ck_assert_int_eq(command("$T explore abba.litmus"), 1);
	command_says(command_out, "Observation abba Always 2 0\n"
				  "Deadlock: 1 more execution cannot end\n"
				  "P0 waits in spin_lock (abba.litmus:6:2), "
				  "P1 waits in spin_lock (abba.litmus:13:2)\n");
	ck_assert_int_eq(command("$T explore abba.litmus --format json"), 1);
	command_says(command_out, "\"verdict\":\"violated\"");
	command_says(command_out, "\"deadlocks\":1,");
}
END_TEST

static const struct {
	const char *body, *says;
} misuses[] = {
	{ "spin_unlock(l);", "spin_unlock of a lock that it does not hold" },
	{ "spin_lock(l);", "spin_lock of a lock that is never dropped" },
	{ "rcu_read_unlock();", "rcu_read_unlock outside of a section" },
	{ "rcu_read_lock();", "rcu_read_lock of a section that does not end" },
	{ "rcu_read_lock(); synchronize_rcu();", "waits for itself" },
	{ "spin_lock(l); synchronize_rcu();", "a spin lock is held" },
	{ "rcu_read_lock(); synchronize_srcu(s);", "in a section of RCU" },
	{ "srcu_read_unlock(s, -1);", "what srcu_read_lock did not give" },
	{ "srcu_read_unlock(s, 3);", "which was left before" },
	{ "int *p; WRITE_ONCE(*p, 1);", "through a null pointer" },
};

START_TEST(misuse)
{
	char test[512], says[128];

	snprintf(test, sizeof(test),
		 "C m\n{}\nP0(spinlock_t *l, struct srcu_struct *s)\n{\n"
		 "%s\n}\nP1(spinlock_t *l, struct srcu_struct *s) { "
		 "synchronize_srcu(s); spin_lock(l); spin_unlock(l); }\n"
		 "exists (true)\n",
		 misuses[_i].body);
	write_file("m.litmus", test);
	ck_assert_int_eq(command("$T explore m.litmus"), 1);
	snprintf(says, sizeof(says), "%s", misuses[_i].says);
	command_says(command_out, says);
	/* whoever finds it, the line is the test's if there is one */
	ck_assert(!strstr(command_out, ".c:"));
}
END_TEST

START_TEST(syntax)
{
	write_file("bad.litmus", "C bad\n{}\nP0(int *x)\n{\n"
				 "\tREAD_ONCE(*x) = 1;\n}\nexists (x=1)\n");
	ck_assert_int_eq(command("$T explore bad.litmus"), 2);
	ck_assert_str_eq(command_out, "");
	ck_assert_str_eq(command_err,
			 "trapline: bad.litmus:5:16: expected ';' after the "
			 "call, found '='\n"
			 "\tREAD_ONCE(*x) = 1;\n"
			 "\t              ^\n");
}
END_TEST

static const struct {
	const char *line, *says;
} usages[] = {
	{ "q.litmus --memory pso", "expected sc, tso or lkmm" },
	{ "q.litmus -DN=1", "-D and --unfix are for scenarios in C" },
	{ "q.litmus -- other.c", "further files" },
	{ "q.litmus --budget soon", "expected a time like" },
	{ "none.litmus", "cannot read none.litmus: No such file" },
};

START_TEST(refused_as_json)
{
	write_file("l.litmus", "C l\n{}\nP0(int *x) { while (1) ; }\n"
			       "exists (x=1)\n");
	ck_assert_int_eq(command("$T explore l.litmus --format json "
				 "--memory tso"),
			 2);
	command_says(command_out, "{\"schema\":\"trapline/1\",\"name\":\"l\","
				  "\"verdict\":\"undecided\",\"message\":"
				  "\"while: ");
	command_says(command_out, "\"executions\":0,\"blocked\":0,"
				  "\"memory\":\"tso\",\"seconds\":0.000}\n");
	command_says(command_err, "l.litmus:3:14: while: ");
}
END_TEST

START_TEST(usage)
{
	write_file("q.litmus", "C q\n{}\nP0() {}\nexists (true)\n");
	ck_assert_int_eq(command("$T explore %s", usages[_i].line), 2);
	command_says(command_err, usages[_i].says);
}
END_TEST

START_TEST(budget)
{
	ck_assert_int_eq(command("$T explore " SHAPES "CoRR2.litmus "
				 "--budget 5"),
			 3);
	command_says(command_out, "Observation CoRR2 Never 0 5\n"
				  "Memory sc, undecided: the budget ended "
				  "before the search\n");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("litmus");
	TCase *tc = tcase_create("cli");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_add_test(tc, text);
	tcase_add_test(tc, quantifiers);
	tcase_add_test(tc, filter);
	tcase_add_test(tc, lkmm_says_its_limits);
	tcase_add_test(tc, deadlock);
	tcase_add_loop_test(tc, misuse, 0,
			    sizeof(misuses) / sizeof(misuses[0]));
	tcase_add_test(tc, syntax);
	tcase_add_test(tc, refused_as_json);
	tcase_add_loop_test(tc, usage, 0, sizeof(usages) / sizeof(usages[0]));
	tcase_add_test(tc, budget);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * trapline explore and replay, as a user meets them: verdicts, files, errors,
 * exit statuses.
 */
#include "command.h"
#include "../suite.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

START_TEST(no_such_command)
{
	ck_assert_int_eq(command("$T explode"), 2);
	command_says(command_err, "did you mean 'explore'?");
	ck_assert_int_eq(command("$T relpay x"), 2);
	command_says(command_err, "did you mean 'replay'?");
	ck_assert_int_eq(command("$T frobnicate"), 2);
	command_says(command_err, "trapline --help");
	ck_assert_int_eq(command("$T --help"), 0);
	command_says(command_out, "explore");
}
END_TEST

static const struct {
	const char *line, *says;
} usage[] = {
	{ "$T explore", "expected a scenario" },
	{ "$T explore --frob $P/counter.c", "--frob" },
	{ "$T explore $P/counter.c --memory arm", "expected sc, tso or lkmm" },
	{ "$T explore $P/counter.c --deps some", "expected none or all" },
	{ "$T explore $P/counter.c --deps all",
	  "--deps is about --memory lkmm" },
	{ "$T explore $P/none.litmus --deps all",
	  "--deps is about --memory lkmm" },
	{ "$T explore $P/counter.c --seed 7", "--seed needs --random N" },
	{ "$T explore $P/counter.c --bound 1 --seed 7",
	  "--seed needs --random N" },
	{ "$T explore $P/counter.c --budget soon", "60s or a number" },
	{ "$T explore $P/counter.c --budget 0", "60s or a number" },
	{ "$T explore $P/counter.c --budget 5x", "60s or a number" },
	{ "$T explore $P/counter.c --format xml", "text, json or changelog" },
	{ "$T explore $P/counter.c --variant 6.13", "has no probe logic" },
	{ "$T explore $P/none.litmus --variant 6.13", "has no probe logic" },
	{ "$T explore $S/tests/model/uprobes/explore/signal-step.c --variant 6",
	  "variants are 6.13 to 6.18, or" },
	{ "$T explore $S/tests/model/uprobes/explore/signal-step.c "
	  "--variant storage=kmalloc,signals=flag",
	  "no release had these together" },
	{ "$T explore nowhere.c", "cannot read nowhere.c: No such file" },
	{ "$T replay", "expected a schedule" },
	{ "$T replay nowhere.sched", "nowhere.sched: No such file" },
	{ "$T replay a b", "one schedule" },
	{ "$T shrink", "expected a schedule" },
	{ "$T shrink nowhere.sched", "nowhere.sched: No such file" },
	{ "$T explore $P/none.litmus --format changelog", "no one run" },
	{ "TRAPLINE_CC=/no/cc $T explore $P/counter.c",
	  "cannot run the compiler /no/cc: No such file or directory; "
	  "TRAPLINE_CC" },
	{ "TRAPLINE_LIB=/no $T explore $P/counter.c", "TRAPLINE_LIB" },
	{ "$T explore $P/halves.c", "halves.c calls 'other_half'" },
	{ "> empty.c; $T explore empty.c",
	  "empty.c has nothing to run: neither SCENARIO_THREAD nor main()" },
	{ "$T explore $P/counter.c --unfix no.patch",
	  "cannot read the patch no.patch" },
};

START_TEST(usage_errors)
{
	ck_assert_int_eq(command("%s", usage[_i].line), 2);
	command_says(command_err, usage[_i].says);
	ck_assert_str_eq(command_out, "");
}
END_TEST

START_TEST(compile_error_is_the_compilers_own)
{
	ck_assert_int_eq(command("echo 'int main(void) { return x; }' > a.c;"
				 "$T explore a.c"),
			 2);
	command_says(command_err, "a.c:1:25: error:");
	command_says(command_err, "trapline: a.c does not compile");
	ck_assert_int_eq(command("echo '#include <nope.h>' > b.c;"
				 "$T explore b.c"),
			 2);
	command_says(command_err, "nope.h: No such file");
	/* Kernel-style files do not see libc. */
	ck_assert_int_eq(command("echo '#include <trapline/scenario.h>\n"
				 "#include <stdio.h>' > c.c;"
				 "$T explore c.c"),
			 2);
	command_says(command_err, "stdio.h: No such file");
	/* What failed leaves nothing behind. */
	ck_assert_int_eq(command("ls cache/trapline"), 0);
	ck_assert_str_eq(command_out, "");
}
END_TEST

START_TEST(it_holds)
{
	ck_assert_int_eq(command("$T explore $P/counter.c -DLOCKED"), 0);
	command_says(command_out, "PASS  counter: holds in all 2 executions "
				  "(3 threads, memory sc, bound: none)\n");
	ck_assert_int_eq(command("$T explore $P/halves.c -- $P/other_half.c"),
			 0);
	command_says(command_out, "holds in all 1 execution ");
	ck_assert_int_eq(command("$T explore $P/counter.c -DLOCKED "
				 "--memory lkmm --deps=all"),
			 0);
	command_says(command_out,
		     "PASS  counter: holds under --deps=all, not a proof, in "
		     "all 2 executions (3 threads, memory lkmm, bound: none)\n"
		     "      (load buffering not explored; every read ordered "
		     "before later writes)\n");
	ck_assert_int_eq(command("ls *.sched"), 2);
}
END_TEST

/* Found, written, read, found again; the same bytes each time. */
static void round_trip(const char *arguments, const char *kind,
		       const char *schedule)
{
	char *first, *text;

	ck_assert_int_eq(command("$T explore $P/%s", arguments), 1);
	command_says(command_out, kind);
	command_says(command_out, "  why: ");
	command_says(command_out, "replay:   trapline replay ");
	ck_assert_str_eq(command_err, "");
	first = command_timeless();
	text = command_file(schedule);
	ck_assert_int_eq(command("$T explore $P/%s", arguments), 1);
	ck_assert_str_eq(first, command_timeless());
	ck_assert_str_eq(text, command_file(schedule));

	ck_assert_int_eq(command("$T replay %s", schedule), 0);
	command_says(command_out, kind);
	command_says(command_out, "the schedule expects: violated ");
	first = command_timeless();
	ck_assert_int_eq(command("$T replay %s", schedule), 0);
	ck_assert_str_eq(first, command_timeless());
}

START_TEST(lost_update)
{
	round_trip("counter.c",
		   "FAIL  assert: assert(counter == 2) "
		   "(tests/cli/programs/counter.c:29)",
		   "counter.fail.sched");
	command_says(command_out, "read counter = 0");
	command_says(command_out, "write counter = 1");
	command_says(command_file("counter.fail.sched"),
		     "scenario: tests/cli/programs/counter.c\nmemory: sc\n"
		     "expect: violated assert\nsteps: ");
}
END_TEST

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	fputs(text, f);
	fclose(f);
}

/* What explore writes cannot be smaller; what a person writes can. */
START_TEST(shrunk)
{
	static const char head[] = "trapline 1 schedule\n"
				   "scenario: tests/cli/programs/counter.c\n"
				   "memory: sc\n",
			  tail[] = "expect: violated assert\nsteps: ";
	char *found, *text;

	ck_assert_int_eq(command("$T explore $P/counter.c"), 1);
	found = command_file("counter.fail.sched");
	ck_assert_int_eq(command("$T shrink counter.fail.sched"), 0);
	command_says(command_out, "FAIL  assert: ");
	command_says(command_out, "schedule: counter.fail.min.sched\n");
	ck_assert_str_eq(found, command_file("counter.fail.min.sched"));

	text = strdup(head);
	write_file("hand.sched",
		   "trapline 1 schedule\n# why\nmemory:   sc\n"
		   "scenario: tests/cli/programs/counter.c\n--\n"
		   "run main until join\nrun thread until read counter\n"
		   "run thread until write counter\nrun thread2 until end\n"
		   "run thread until end\nrun main until end\n");
	ck_assert_int_eq(command("$T shrink hand.sched -o small.sched"), 0);
	command_says(command_out, "lines 6 -> 3, preemptions 3 -> 1");
	found = command_file("small.sched");
	ck_assert_ptr_eq(strstr(found, text), found);
	command_says(found, tail);
	ck_assert_int_eq(command("$T replay small.sched"), 0);
	/* each line is needed, where it stands */
	for (int line = 7; line <= 9; line++) {
		ck_assert_int_eq(command("sed %dd small.sched > less.sched; "
					 "$T replay less.sched",
					 line),
				 1);
	}

	write_file("good.sched",
		   "trapline 1 schedule\nmemory: sc\n"
		   "scenario: tests/cli/programs/counter.c\n--\n");
	ck_assert_int_eq(command("$T shrink good.sched"), 1);
	command_says(command_err, "good.sched does not fail");
	ck_assert_int_eq(command("ls good.min.sched"), 2);
}
END_TEST

static const struct {
	const char *options, *line;
} weak[] = {
	{ "-DSB --memory tso", "\nread x#1 from init\n" },
	{ "-DSB --memory lkmm", "\nread x#1 from init\n" },
	{ "-DMP --memory lkmm", "\nread x#1 from init\n" },
	{ "-DWW --memory lkmm", "\norder x b#1 before a#1\n" },
};

/* Lines about memory: written, followed, needed, and not believed. */
START_TEST(weak_memory)
{
	char options[100];

	snprintf(options, sizeof(options), "weak.c %s", weak[_i].options);
	round_trip(options, "FAIL  assert: BUG_ON(", "weak.fail.sched");
	command_says(command_file("weak.fail.sched"), weak[_i].line);
	ck_assert_int_eq(command("sed '/^read/d;/^order/d' weak.fail.sched "
				 "> less.sched; $T replay less.sched"),
			 1);
	/* barriers forbid it, and so does sc */
	ck_assert_int_eq(command("sed 's/^memory/define: FENCED\\nmemory/' "
				 "weak.fail.sched > fenced.sched;"
				 "$T replay fenced.sched"),
			 1);
	command_says(command_out, "DIVERGED  fenced.sched:9: memory ");
	command_says(command_out, "does not allow this when ");
	ck_assert_int_eq(command("sed 's/^memory.*/memory: sc/' "
				 "weak.fail.sched > sc.sched;"
				 "$T replay sc.sched"),
			 1);
	command_says(command_out, "memory sc does not allow this when ");
}
END_TEST

START_TEST(weak_memory_in_columns)
{
	ck_assert_int_eq(command("$T explore $P/weak.c -DSB --memory tso"), 1);
	command_says(command_out, "write x = 1 ");
	command_says(command_out, "write y = 1 ");
	command_says(command_out, "read x = 0, from before ");
	command_says(command_out, "saw x = 0, not yet what a wrote in step 1: "
				  "that was in a's store buffer.\n");
	command_says(command_out, "<-- assertion fails");
	ck_assert_int_eq(command("$T explore $P/weak.c -DMP --memory lkmm"), 1);
	command_says(command_out, "nothing orders the two.\n");
	ck_assert_int_eq(command("$T explore $P/weak.c -DWW --memory lkmm"), 1);
	command_says(command_out, "what b wrote to x in step 4 is overwritten "
				  "by what a wrote in step 1");
}
END_TEST

START_TEST(changelog)
{
	ck_assert_int_eq(command("$T explore $P/counter.c --format changelog"),
			 1);
	command_says(command_out,
		     "assert: assert(counter == 2) (counter.c:29)\n");
	command_says(command_out, "     CPU0 (main) ");
	for (const char *s = command_out; *s; s += strcspn(s, "\n") + 1)
		ck_assert_uint_le(strcspn(s, "\n"), 72);
	ck_assert_ptr_null(strchr(command_out, '/'));
	ck_assert_int_eq(command("$T replay counter.fail.sched "
				 "--format changelog"),
			 0);
	command_says(command_out,
		     "assert: assert(counter == 2) (counter.c:29)\n");
}
END_TEST

START_TEST(deadlock)
{
	round_trip("abba.c", "FAIL  deadlock: ", "abba.fail.sched");
	command_says(command_out, "lock a  blocked");
	command_says(command_out, "lock b  blocked");
	command_says(command_out, "(holds a)");
	command_says(command_out, "abba.c:11)");
}
END_TEST

START_TEST(use_after_free)
{
	round_trip("early_free.c",
		   "FAIL  use-after-free: ", "early_free.fail.sched");
	command_says(command_out, "free thing#1");
	command_says(command_out, "read thing#1.colour");
	command_says(command_out, "<-- USE AFTER FREE");
	command_says(command_out, "remover (tests/cli/programs/"
				  "early_free.c:32)");
	command_says(command_out, "reader (tests/cli/programs/"
				  "early_free.c:24)");
}
END_TEST

START_TEST(double_free)
{
	round_trip("double_free.c",
		   "FAIL  double-free: ", "double_free.fail.sched");
	command_says(command_out, "free heap#1  <-- DOUBLE FREE");
	command_says(command_out, "freed it again in step");
}
END_TEST

START_TEST(defines_travel_with_the_schedule)
{
	ck_assert_int_eq(command("$T explore $P/counter.c -DUNUSED=3 "
				 "--schedule-out x.sched"),
			 1);
	command_says(command_file("x.sched"), "define: UNUSED=3\n");
	/* A change of the program that keeps the schedule's points. */
	ck_assert_int_eq(command("sed -i s/UNUSED=3/LOCKED/ x.sched;"
				 "$T replay x.sched"),
			 1);
	command_says(command_out, "DIVERGED  x.sched:");
	command_says(command_out, "it is blocked in 'lock lock'");
}
END_TEST

/* What is wrong in the one design is not even there in the other. */
START_TEST(variant_travels_with_the_schedule)
{
	static const char with_a_mistake[] =
		"$T explore $S/tests/model/uprobes/explore/signal-step.c "
		"--unfix $S/traces/races/lost-signal/unfix.patch %s";

	ck_assert_int_eq(command(with_a_mistake, ""), 0);
	ck_assert_int_eq(command(with_a_mistake, "--variant 6.14"), 1);
	command_says(command_file("signal-step.fail.sched"), "variant: 6.14\n");
	ck_assert_int_eq(command("$T replay signal-step.fail.sched"), 0);
	command_says(command_out, "FAIL  assert: ");
	ck_assert_int_eq(command("sed -i s/6.14/6.18/ signal-step.fail.sched;"
				 "$T replay signal-step.fail.sched"),
			 1);
}
END_TEST

START_TEST(further_files_travel_with_the_schedule)
{
	ck_assert_int_eq(command("$T explore $P/halves.c -DX=2 -- "
				 "$P/other_half.c"),
			 1);
	command_says(command_file("halves.fail.sched"),
		     "source: tests/cli/programs/other_half.c\n");
	ck_assert_int_eq(command("$T replay halves.fail.sched"), 0);
	command_says(command_out, "FAIL  assert: ");
}
END_TEST

START_TEST(json)
{
	static const char *const lines[] = {
		"$T explore $P/counter.c --format json",
		"$T replay counter.fail.sched --format json",
	};
	json_t *o;

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(command("%s", lines[i]), !i);
		o = json_loads(command_out, 0, NULL);
		ck_assert_ptr_nonnull(o);
		ck_assert_str_eq(
			json_string_value(json_object_get(o, "verdict")),
			"violated");
		ck_assert_str_eq(
			json_string_value(json_object_get(o, "memory")), "sc");
		ck_assert(json_is_integer(json_object_get(o, "executions")));
		ck_assert(json_is_integer(json_object_get(o, "blocked")));
		ck_assert(json_is_number(json_object_get(o, "seconds")));
		json_decref(o);
	}
}
END_TEST

START_TEST(what_was_not_reached)
{
	json_t *o, *file;

	ck_assert_int_eq(command("$T explore $P/unreached.c"), 0);
	command_says(command_out, "\nnot reached: 1 of 4 functions, 1 of 5 "
				  "branches (--cover lists them)\ntime: ");
	ck_assert_int_eq(command("$T explore $P/unreached.c --cover"), 0);
	command_says(command_out, "\nnot reached: 1 of 4 functions, 1 of 5 "
				  "branches\n"
				  "  tests/cli/programs/unreached.c\n"
				  "    never   failed\n"
				  "    reached main\n"
				  "    reached thread\n"
				  "    reached twice\n"
				  "    never   branch 22:3\ntime: ");

	ck_assert_int_eq(
		command("$T explore $P/unreached.c --cover --format json"), 0);
	o = json_loads(command_out, 0, NULL);
	ck_assert_int_eq(json_integer_value(json_object_get(o, "functions")),
			 4);
	ck_assert_int_eq(json_integer_value(json_object_get(o, "reached")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(o, "branches")), 5);
	ck_assert_int_eq(
		json_integer_value(json_object_get(o, "branches_reached")), 4);
	file = json_array_get(json_object_get(o, "cover"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(file, "reached")), 3);
	ck_assert_str_eq(json_string_value(json_array_get(
				 json_object_get(file, "not_reached"), 0)),
			 "failed");
	ck_assert_str_eq(
		json_string_value(json_array_get(
			json_object_get(file, "branches_not_reached"), 0)),
		"22:3");
	json_decref(o);

	/* Nothing to say, unless asked; nothing if it was cut short. */
	ck_assert_int_eq(command("$T explore $P/counter.c -DLOCKED"), 0);
	ck_assert_ptr_null(strstr(command_out, "reached"));
	ck_assert_int_eq(command("$T explore $P/counter.c -DLOCKED --cover"),
			 0);
	command_says(command_out,
		     "not reached: 0 of 2 functions, 0 of 1 branch\n");
	ck_assert_int_eq(command("$T explore $P/early_free.c"), 1);
	ck_assert_ptr_null(strstr(command_out, "reached"));

	/* The model's uprobe code counts, and so does what set-up does. */
	ck_assert_int_eq(command("$T explore --cover $S/tests/model/uprobes/"
				 "explore/hit-unregister.c"),
			 0);
	command_says(command_out, "\n  model/uprobes/hprobe.c\n"
				  "    never   hprobe_consume\n");
	command_says(command_out, "    reached uprobe_register\n");
	command_says(command_out, "    reached trapline_scenario_setup\n");
	command_says(command_out, "\n  model/linux/core/entry.c\n");
	ck_assert_ptr_null(strstr(command_out, "\n  model/linux/core/mm.c"));
	ck_assert_ptr_null(strstr(command_out, "\n  sim/"));
}
END_TEST

START_TEST(budgets_and_interrupts)
{
	ck_assert_int_eq(command("$T explore $P/many.c --budget 1e3"), 3);
	command_says(command_out, "UNDECIDED  many: budget spent after 1000 "
				  "executions");
	ck_assert_int_eq(command("$T explore $P/many.c --budget 1s"), 3);
	command_says(command_out, "UNDECIDED  many: budget spent after ");
	ck_assert_int_eq(command("timeout -s INT 4 $T explore $P/many.c; "
				 "exit 3"),
			 3);
	command_says(command_out, "UNDECIDED  many: ");
	command_says(command_out, "interrupted");
	/* Twice at once is one request. */
	command("$T explore $P/many.c & sleep 1; kill -INT $!; sleep 0.01;"
		"kill -INT $!; wait");
	command_says(command_out, "UNDECIDED  many: ");
	command_says(command_out, "interrupted");
}
END_TEST

/* On a terminal, or when asked for in lines; else stderr is left alone. */
START_TEST(progress)
{
	static const char search[] =
		"explore $S/tests/explore/programs/seqlock.c -DNR=5 --budget "
		"3s";
	double done = 0;
	const char *s;

	ck_assert_int_eq(command("$T %s", search), 3);
	ck_assert_str_eq(command_err, "");
	ck_assert_int_eq(command("$T %s --progress plain", search), 3);
	s = strstr(command_err, "progress: ");
	ck_assert_ptr_nonnull(s);
	ck_assert_ptr_nonnull(strstr(s, " per second, estimate: "));
	ck_assert_ptr_nonnull(strstr(s, " left\n"));
	/* most of it is still to be done, but it does come on */
	while ((s = strstr(s, "estimate: "))) {
		double now = strtod(s += strlen("estimate: "), NULL);

		ck_assert(now >= done && now < 100);
		done = now;
	}
	ck_assert(done > 0);
	ck_assert_int_eq(command("$T %s --progress plain -j 2", search), 3);
	command_says(command_err, " per second\n");

	/* script(1) is a terminal */
	ck_assert_int_eq(
		command("script -qec \"$T %s\" /dev/null </dev/null", search),
		3);
	command_says(command_out, "\r\033[K");
	command_says(command_out, ", estimate: ");
	command_says(command_out, "left\r\033[KUNDECIDED");
	ck_assert_int_eq(command("script -qec \"$T %s -q\" /dev/null "
				 "</dev/null",
				 search),
			 3);
	ck_assert_ptr_null(strstr(command_out, "per second"));
}
END_TEST

START_TEST(cache_is_by_content)
{
	ck_assert_int_eq(command("cp $P/counter.c a.c;"
				 "$T explore a.c; $T explore a.c;"
				 "ls cache/trapline | wc -l"),
			 0);
	command_says(command_out, "\n1\n");
	ck_assert_int_eq(command("sed -i 's/counter == 2/counter >= 1/' a.c;"
				 "$T explore a.c && ls cache/trapline | wc -l"),
			 0);
	command_says(command_out, "PASS");
	command_says(command_out, "\n2\n");
	/* What nobody uses for a month goes. */
	ck_assert_int_eq(command("touch -d '40 days ago' cache/trapline/*;"
				 "$T explore a.c; ls cache/trapline | wc -l"),
			 0);
	command_says(command_out, "\n1\n");
	/* Without a place of its own, it finds one. */
	ck_assert_int_eq(command("XDG_CACHE_HOME= HOME=/proc/nowhere "
				 "$T explore a.c"),
			 0);
}
END_TEST

static const struct {
	const char *patch, *says;
} patches[] = {
	{ "--- a/model/uprobes/xol.c\n+++ b/model/uprobes/xol.c\n"
	  "@@ -1,2 +1,2 @@\n-no such line\n+x\n nor this\n",
	  "does not apply to " TRAPLINE_SOURCE_DIR "/model/uprobes/xol.c" },
	{ "--- a/sim/x.c\n+++ b/sim/x.c\n@@ -1 +1 @@\n-a\n+b\n",
	  "one .c file of model/, not sim/x.c" },
	{ "--- a/model/a.c\n+++ b/model/a.c\n@@ -1 +1 @@\n-a\n+b\n"
	  "--- a/model/b.c\n+++ b/model/b.c\n@@ -1 +1 @@\n-a\n+b\n",
	  "not several files" },
	{ "hello\n", "this names no file" },
};

START_TEST(unfixes_that_do_not_fit)
{
	FILE *f = fopen("x.patch", "we");

	fputs(patches[_i].patch, f);
	fclose(f);
	ck_assert_int_eq(command("$T explore $P/early_free.c --unfix x.patch"),
			 2);
	command_says(command_err, patches[_i].says);
}
END_TEST

/* One context line differs: whoever refreshed the patch must look again. */
START_TEST(unfixes_apply_without_fuzz)
{
	static const char make[] =
		"f=model/uprobes/xol.c; sed '60s/^/\\n/' $S/$f > b.c;"
		"diff -u --label a/$f --label b/$f $S/$f b.c > good.patch;"
		"sed '4s/.*/ changed/' good.patch > bad.patch;"
		"$T explore $P/early_free.c --unfix";

	ck_assert_int_eq(command("%s good.patch", make), 1);
	command_says(command_out, "FAIL  use-after-free");
	ck_assert_int_eq(command("%s bad.patch", make), 2);
	command_says(command_err, "does not apply");
}
END_TEST

#define WEAK                                                               \
	"trapline 1 schedule\nscenario: traces/compat/v1-weak.c\nmemory: " \
	"lkmm\n--\n"

static const struct {
	const char *text;
	int status;
	const char *says;
} schedules[] = {
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\n--\nrun main unt",
	  2, "x.sched:5:13: " },
	{ "trapline 7 schedule\n", 2, "x.sched:1:10: version 7 is newer" },
	{ "trapline 1 schedule\nscenario: nowhere.c\nmemory: sc\n--\n", 2,
	  "x.sched names nowhere.c" },
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\nexpect: violated boredom\n--\n",
	  2, "boredom" },
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\n--\nrun main until end\n",
	  1,
	  "DIVERGED  x.sched:5: main did not come to its end: it is blocked "
	  "in 'join " },
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\n--\nrun nobody until end\n",
	  1, "no thread 'nobody'" },
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\nexpect: violated assert\n--\n",
	  1, "<-- not so" },
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\nexpect: holds\n--\n",
	  0, "PASS  counter: " },
	{ "trapline 1 schedule\nscenario: tests/cli/programs/counter.c\n"
	  "memory: sc\nexpect: violated deadlock\n--\n",
	  1, "<-- not so" },
	/* lines on weaker memory that never apply, or are contradicted */
	{ WEAK "read z#3 from init\n", 1,
	  "DIVERGED  x.sched:5: there was no read #3 of z" },
	{ WEAK "read zz#1 from init\n", 1,
	  "DIVERGED  x.sched:5: there was no read #1 of zz" },
	{ WEAK "read z#1 from init\nread z#1 from a#1\n", 1,
	  "DIVERGED  x.sched:6: another line tells of read #1 of z" },
	{ WEAK "order x b#2 before a#1\n", 1,
	  "DIVERGED  x.sched:5: b did not come to its write #2 of x" },
	{ WEAK "order x b#1 before c#1\n", 1,
	  "DIVERGED  x.sched:5: c did not come to its write #1 of x" },
	{ WEAK "order x b#1 before a#1\norder x a#1 before b#1\n"
	       "run a until end\n",
	  1,
	  "DIVERGED  x.sched:6: another line has b's write #1 before a's #1" },
	{ WEAK "order x b#1 before a#1\nrun b until end\n", 0, "PASS  " },
	{ "trapline 1 schedule\nscenario: tests/explore/programs/ticket.c\n"
	  "memory: tso\n--\norder next thread2#1 before thread#1\n",
	  1,
	  "DIVERGED  x.sched:5: thread2's write #1 of next is right behind "
	  "what it reads" },
};

START_TEST(schedules_by_hand)
{
	FILE *f = fopen("x.sched", "we");
	int status;

	fputs(schedules[_i].text, f);
	fclose(f);
	status = command("$T replay x.sched");
	ck_assert_msg(status == schedules[_i].status, "%d, expected %d: %s%s",
		      status, schedules[_i].status, command_out, command_err);
	command_says(status == 2 ? command_err : command_out,
		     schedules[_i].says);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("explore");
	TCase *tc = tcase_create("explore");

	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, no_such_command);
	tcase_add_loop_test(tc, usage_errors, 0,
			    sizeof(usage) / sizeof(*usage));
	tcase_add_test(tc, compile_error_is_the_compilers_own);
	tcase_add_test(tc, it_holds);
	tcase_add_test(tc, lost_update);
	tcase_add_test(tc, shrunk);
	tcase_add_loop_test(tc, weak_memory, 0, sizeof(weak) / sizeof(*weak));
	tcase_add_test(tc, weak_memory_in_columns);
	tcase_add_test(tc, changelog);
	tcase_add_test(tc, deadlock);
	tcase_add_test(tc, use_after_free);
	tcase_add_test(tc, double_free);
	tcase_add_test(tc, defines_travel_with_the_schedule);
	tcase_add_test(tc, variant_travels_with_the_schedule);
	tcase_add_test(tc, further_files_travel_with_the_schedule);
	tcase_add_test(tc, json);
	tcase_add_test(tc, what_was_not_reached);
	tcase_add_test(tc, budgets_and_interrupts);
	tcase_add_test(tc, progress);
	tcase_add_test(tc, cache_is_by_content);
	tcase_add_loop_test(tc, unfixes_that_do_not_fit, 0,
			    sizeof(patches) / sizeof(*patches));
	tcase_add_test(tc, unfixes_apply_without_fuzz);
	tcase_add_loop_test(tc, schedules_by_hand, 0,
			    sizeof(schedules) / sizeof(*schedules));
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}

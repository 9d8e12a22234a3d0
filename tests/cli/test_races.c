// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every race in traces/races: what its file `expect` says of the model as it is
 * and of the model with each patch is what the search says. A violation's
 * schedule, and every schedule in the folder, repeats it.
 */
#include "command.h"

#include <check.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static glob_t expectations, schedules;

/* Explore with the patch (or "model": none) and compare the verdict. */
static void check_verdict(const char *dir, const char *memory,
			  const char *patch, const char *verdict)
{
	bool violated = strcmp(verdict, "holds") != 0;
	char unfix[300] = "", says[80];
	int status;

	if (strcmp(patch, "model"))
		snprintf(unfix, sizeof(unfix), "--unfix %s/%s", dir, patch);
	status = command("$T explore %s/scenario.c --memory %s %s "
			 "--schedule-out x.sched",
			 dir, memory, unfix);
	ck_assert_msg(status == violated, "%s: expected %s: %.1500s%.500s",
		      patch, verdict, command_out, command_err);
	if (!violated) {
		command_says(command_out, "holds in all ");
		return;
	}
	snprintf(says, sizeof(says),
		 "FAIL  %s: ", verdict + strlen("violated "));
	command_says(command_out, says);
	command_says(command_out, "schedule: x.sched");
	ck_assert_msg(command("$T replay x.sched") == 0, "%.1500s%.500s",
		      command_out, command_err);
	command_says(command_out, says);
}

START_TEST(as_expected)
{
	const char *path = expectations.gl_pathv[_i];
	char *text = command_file(path), *dir = strdup(path), *save;
	char memory[64] = "sc", key[64], value[64];
	int verdicts = 0;

	*strrchr(dir, '/') = '\0';
	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (*line == '#')
			continue;
		ck_assert_int_eq(sscanf(line, "%63[^:]: %63[^\n]", key, value),
				 2);
		if (!strcmp(key, "memory")) {
			strcpy(memory, value);
		} else if (strcmp(key, "kind")) {
			check_verdict(dir, memory, key, value);
			verdicts++;
		}
	}
	ck_assert_int_ge(verdicts, 1);
	free(text);
	free(dir);
}
END_TEST

START_TEST(committed_schedules)
{
	ck_assert_msg(command("$T replay %s", schedules.gl_pathv[_i]) == 0,
		      "%s: %.1500s%.500s", schedules.gl_pathv[_i], command_out,
		      command_err);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("races");
	TCase *tc = tcase_create("races");
	SRunner *runner;
	int failed;

	if (glob(TRAPLINE_SOURCE_DIR "/traces/races/*/expect", 0, NULL,
		 &expectations) ||
	    glob(TRAPLINE_SOURCE_DIR "/traces/races/*/*.sched", 0, NULL,
		 &schedules))
		return EXIT_FAILURE;
	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, as_expected, 0, expectations.gl_pathc);
	tcase_add_loop_test(tc, committed_schedules, 0, schedules.gl_pathc);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

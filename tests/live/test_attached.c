// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_attached.c - attach to what does not take it easily: threads in calls
 * that a stop ends, programs under seccomp. And to leave it as it was.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "run.h"

/* Twice: what one stop spoils the next finds. */
START_TEST(lets_calls_wait)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	int in, none, i;
	json_t *sum;

	add_word(&w, "%s", target("waits"));
	pid = run_start(&w, &in);
	wait_for_output("ready");
	for (i = 0; i < 2; i++) {
		trace_words(&w, "-c", NULL);
		probe_all(&w, target("waits"), true, true);
		add_word(&w, "-p%d", pid);
		tracer = run_start_to(&w, &none, "tracer-");
		wait_for_tracer(pid);
		wait_for_sleep(tracer);
		if (i) {
			ck_assert_int_eq(write(in, "go\n", 3), 3);
			close(in);
			check_end(pid, "all waited");
		} else {
			ck_assert_int_eq(kill(tracer, SIGINT), 0);
		}
		ck_assert_int_eq(waitpid(tracer, NULL, 0), tracer);
		close(none);
	}
	sum = summary();
	ck_assert_int_eq(count_of(sum, "probed_add", "hits"), 250);
	ck_assert_int_eq(count_of(sum, "probed_add", "returns"), 250);
	json_decref(sum);
}
END_TEST

/* Who may not switch a filter off: a capability less than root's. */
static const char *const unprivileged[] = { "setpriv", "--bounding-set",
					    "-sys_admin", "--inh-caps",
					    "-sys_admin" };

static void add_trace(struct words *w, bool privileged)
{
	struct words trace;
	unsigned int i;

	w->n = 0;
	for (i = 0; !privileged && i < 5; i++)
		add_word(w, "%s", unprivileged[i]);
	trace_words(&trace, "-c", NULL);
	for (i = 0; i < trace.n; i++)
		add_word(w, "%s", trace.word[i]);
	words_free(&trace);
	probe_all(w, target("sealed"), true, true);
}

static void check_counts(void)
{
	json_t *sum = summary();

	ck_assert_int_eq(count_of(sum, "probed_add", "hits"), 100);
	ck_assert_int_eq(count_of(sum, "probed_add", "returns"), 100);
	ck_assert_int_eq(count_of(sum, "probed_push", "hits"), 100);
	ck_assert_int_eq(count_of(sum, "probed_push", "returns"), 100);
	json_decref(sum);
}

/* Strict mode and a filter, both by who may switch it off and who may not. */
START_TEST(attaches_to_the_sealed)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	int in, none, status;

	add_word(&w, "%s", target("sealed"));
	if (_i / 2)
		add_word(&w, "filter");
	pid = run_start(&w, &in);
	wait_for_output("ready");
	add_trace(&w, _i % 2);
	add_word(&w, "--limit=400");
	add_word(&w, "-p%d", pid);
	tracer = run_start_to(&w, &none, "tracer-");
	wait_for_tracer(pid);
	wait_for_sleep(tracer);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert_int_eq(status, 0);
	check_free(pid);
	check_text(pid);
	check_counts();
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "sealed to the end");
}
END_TEST

START_TEST(launches_who_seals_itself)
{
	struct words w = { 0 };
	struct run r;

	add_trace(&w, _i % 2);
	add_word(&w, "%s", target("sealed"));
	if (_i / 2)
		add_word(&w, "filter");
	run(&r, &w, "go\n");
	ck_assert_msg(strstr(r.out, "sealed to the end"), "%d %s%s", r.code,
		      r.out, r.err);
	check_counts();
	run_free(&r);
}
END_TEST

/* Bytes of text that is of no file, as copies of instructions are. */
static unsigned long nameless_text(pid_t pid)
{
	unsigned long start, end, ino, sum = 0;
	char name[64], line[4500], perms[8];
	int at;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps)) {
		ck_assert_int_eq(sscanf(line, "%lx-%lx %7s %*s %*s %lu %n",
					&start, &end, perms, &ino, &at),
				 4);
		if (perms[2] == 'x' && !ino && !line[at])
			sum += end - start;
	}
	fclose(maps);
	return sum;
}

/* By a signal, which comes anywhere, or at a hit. */
static const char *const ends[] = { "-c", "--limit=2000" };

START_TEST(leaves_no_mapping)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	int in, none, i, status;

	add_word(&w, "%s", target("busy"));
	pid = run_start(&w, &in);
	wait_for_output("step");
	for (i = 0; i < 5; i++) {
		trace_words(&w, "-c", ends[_i], NULL);
		probe_all(&w, target("busy"), true, true);
		add_word(&w, "-p%d", pid);
		tracer = run_start_to(&w, &none, "tracer-");
		while (!_i && nameless_text(pid) < 33 * 4096)
			usleep(1000);
		if (!_i)
			ck_assert_int_eq(kill(tracer, SIGINT), 0);
		ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
		ck_assert_int_eq(status, 0);
		close(none);
		ck_assert_uint_eq(nameless_text(pid), 0);
		check_free(pid);
		check_text(pid);
	}
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all right");
}
END_TEST

/* Its own file is mapped, and one library; the other file is told of, once. */
START_TEST(tells_what_is_not_mapped)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	const char *note;
	char expected[32];
	struct run r;
	int in, none;

	add_word(&w, "%s", target("waits"));
	pid = run_start(&w, &in);
	wait_for_output("ready");
	trace_words(&w, "-c", "-ep:libc.so.6:malloc", NULL);
	probe_all(&w, target("waits"), true, false);
	add_word(&w, "-ep:%s:odd_long", target("odd"));
	add_word(&w, "-er:%s:odd_long", target("odd"));
	add_word(&w, "-p%d", pid);
	tracer = run_start_to(&w, &none, "tracer-");
	wait_for_tracer(pid);
	wait_for_sleep(tracer);
	ck_assert_int_eq(kill(tracer, SIGINT), 0);
	run_finish_to(&r, tracer, "tracer-");
	close(none);
	snprintf(expected, sizeof(expected), "process %d does not map", pid);
	note = strstr(r.err, expected);
	ck_assert_msg(note != NULL, "%s", r.err);
	ck_assert_ptr_nonnull(strstr(note, "/odd (yet), so"));
	ck_assert_ptr_null(strstr(note + strlen(expected), "does not map"));
	ck_assert_int_eq(r.code, 0);
	run_free(&r);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all waited");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("attached");
	TCase *tc = tcase_create("hard");

	tcase_set_timeout(tc, 70);
	tcase_add_test(tc, lets_calls_wait);
	tcase_add_loop_test(tc, leaves_no_mapping, 0, 2);
	tcase_add_test(tc, tells_what_is_not_mapped);
	tcase_add_loop_test(tc, attaches_to_the_sealed, 0, 4);
	tcase_add_loop_test(tc, launches_who_seals_itself, 0, 4);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

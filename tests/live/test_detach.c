// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_detach.c - leave a program at any moment: its text is as in its file, no
 * return address is ours, nothing is stopped, and it goes on to a good end.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "run.h"

static const char *const ways[] = { "--step=auto", "--step=hw" };

static void words_for(struct words *w, const char *name, const char *way,
		      int limit)
{
	trace_words(w, "-c", way, NULL);
	if (limit) {
		add_word(w, "--limit");
		add_word(w, "%d", limit);
	}
	probe_all(w, target(name), true, true);
	if (!strcmp(name, "busy")) {
		add_word(w, "-e");
		add_word(w, "r:libc.so.6:usleep");
		add_word(w, "-e");
		add_word(w, "p:libc.so.6:clock_nanosleep");
	}
	add_word(w, "--");
	add_word(w, "%s", target(name));
}

static void leave(const char *name, const char *way, const char *ready,
		  const char *says, int sig, int delay)
{
	struct words w;
	pid_t tracer, pid;
	int in, status;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	words_for(&w, name, way, 0);
	tracer = run_start(&w, &in);
	pid = child_of(tracer);
	wait_for_output(ready);
	usleep(delay);
	ck_assert_int_eq(kill(tracer, sig), 0);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 128 + sig,
		      "trapline ended with status %x", status);
	check_free(pid);
	check_text(pid);
	json_decref(summary());
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, says);
}

/* All that end a process. */
static const int signals[] = { SIGINT,	SIGTERM, SIGHUP,    SIGQUIT,
			       SIGUSR1, SIGUSR2, SIGALRM,   SIGPIPE,
			       SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF };
#define NR_SIGNALS (sizeof(signals) / sizeof(*signals))

START_TEST(leaves_a_busy_program)
{
	leave("busy", ways[_i % 2], "step", "all right",
	      signals[_i / 2 % NR_SIGNALS], 3001 * _i);
}
END_TEST

/* Trapline and busy, after a command of the shell, in the test's directory. */
static pid_t start_after(const char *command, const char *way, int *in)
{
	struct words w = { 0 };

	add_word(&w, "sh");
	add_word(&w, "-c");
	add_word(&w, "%s", command);
	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "%s", way);
	probe_all(&w, target("busy"), true, true);
	add_word(&w, "%s", target("busy"));
	return run_start(&w, in);
}

/* As of nohup: neither the tracer nor the program minds it. */
START_TEST(ignores_what_was_ignored)
{
	char command[64];
	pid_t tracer, pid;
	int in, status;

	snprintf(command, sizeof(command), "trap '' %d; exec \"$0\" \"$@\"",
		 signals[_i]);
	tracer = start_after(command, ways[_i % 2], &in);
	pid = child_of(tracer);
	wait_for_output("step");
	ck_assert_int_eq(kill(tracer, signals[_i]), 0);
	ck_assert_int_eq(kill(pid, signals[_i]), 0);
	usleep(30000);
	ck_assert_int_eq(waitpid(tracer, &status, WNOHANG), 0);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert_msg(status == 0, "trapline ended with status %x", status);
}
END_TEST

/* Who read the hits has gone, as head does. */
START_TEST(leaves_when_nobody_reads)
{
	char command[300], line[256];
	pid_t tracer, pid;
	int in, status;
	FILE *hits;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(mkfifo(temporary("pipe"), 0600), 0);
	snprintf(command, sizeof(command), "exec \"$0\" \"$@\" 2>%s",
		 temporary("pipe"));
	tracer = start_after(command, ways[_i], &in);
	hits = fopen(temporary("pipe"), "r");
	ck_assert_ptr_nonnull(hits);
	ck_assert_int_eq(unlink(temporary("pipe")), 0);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), hits));
	pid = child_of(tracer);
	wait_for_output("step");
	fclose(hits);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGPIPE,
		      "trapline ended with status %x", status);
	check_free(pid);
	check_text(pid);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all right");
}
END_TEST

/* All in one copy; or 31 threads in slots, 9 waiting for one. */
START_TEST(leaves_parked_threads)
{
	leave("park", ways[_i], _i ? "ready 31" : "ready 40", "all finished",
	      SIGINT, 1000);
}
END_TEST

START_TEST(leaves_after_the_limit)
{
	struct words w;
	struct run r;
	json_t *sum;

	words_for(&w, "busy", ways[_i % 2], 1 + 7 * _i);
	add_word(&w, "300000"); /* microseconds: enough for many more hits */
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	ck_assert_ptr_nonnull(strstr(r.out, "all right"));
	sum = summary();
	ck_assert_int_eq(number_of(sum, "hits") + number_of(sum, "returns"),
			 1 + 7 * _i);
	json_decref(sum);
	run_free(&r);
}
END_TEST

/* A parent that sleeps in vfork cannot be stopped; its child can. */
START_TEST(leaves_children)
{
	struct words w;
	struct run r;

	words_for(&w, "children", ways[0], 58 + _i);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	ck_assert_str_eq(r.out, "every child as told\n");
	run_free(&r);
}
END_TEST

static bool has_ended(pid_t tid)
{
	char name[64], line[256];
	bool ended = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f))
		ended |= !strncmp(line, "State:\tZ", 8);
	if (f)
		fclose(f);
	return ended;
}

/* The first thread has ended, and its status waits for the second's end. */
START_TEST(leaves_without_the_first_thread)
{
	struct words w;
	pid_t tracer, pid;
	int in, status;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	trace_words(&w, "-c", ways[_i], NULL);
	probe_all(&w, target("liblate.so"), true, true);
	add_word(&w, "%s", target("late"));
	tracer = run_start(&w, &in);
	pid = child_of(tracer);
	while (!has_ended(pid))
		usleep(1000);
	ck_assert_int_eq(kill(tracer, SIGINT), 0);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGINT);
	check_end(pid, "loaded and left");
	close(in);
}
END_TEST

/*
 * The signal comes while we are still about to start. Either nothing has been
 * launched, or the program goes on; or has ended already.
 */
START_TEST(leaves_at_once)
{
	struct words w;
	pid_t tracer, pid;
	int in, status;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	words_for(&w, "frames", ways[0], 0);
	tracer = run_start(&w, &in);
	usleep(200 * _i);
	ck_assert_int_eq(kill(tracer, SIGTERM), 0);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	if (WIFSIGNALED(status))
		ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	else if (status)
		ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGTERM);
	pid = waitpid(-1, &status, 0);
	ck_assert_msg(pid < 0 || status == 0, "left with status %x", status);
	close(in);
}
END_TEST

static void start_attached(struct words *w, const char *way, pid_t pid)
{
	trace_words(w, "-c", way, NULL);
	probe_all(w, target("busy"), true, true);
	add_word(w, "-er:libc.so.6:usleep");
	add_word(w, "-ep:libc.so.6:clock_nanosleep");
	add_word(w, "-p%d", pid);
}

/* The same process ten times: each finds it as if it were the first. */
START_TEST(attaches_and_leaves)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	int in, none, status, i;
	long hits = 0, returns = 0;
	json_t *sum;

	add_word(&w, "%s", target("busy"));
	pid = run_start(&w, &in);
	wait_for_output("step");
	for (i = 0; i < 10; i++) {
		start_attached(&w, ways[_i], pid);
		tracer = run_start_to(&w, &none, "tracer-");
		wait_for_tracer(pid);
		wait_for_breakpoint(pid);
		usleep(100000 + 7001 * i);
		ck_assert_int_eq(kill(tracer, SIGINT), 0);
		ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
		ck_assert_msg(status == 0, "status %x", status);
		check_free(pid);
		check_text(pid);
		sum = summary();
		hits += number_of(sum, "hits");
		returns += number_of(sum, "returns");
		json_decref(sum);
		close(none);
		words_free(&w);
	}
	/* On a busy machine there may be few in a tenth of a second. */
	ck_assert_int_gt(hits, 50);
	ck_assert_int_gt(returns, 20);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all right");
}
END_TEST

/* Killed by somebody else, in the middle of hits or of steps. */
START_TEST(survives_its_program)
{
	struct words w;
	pid_t tracer, pid;
	int in, status;
	json_t *sum;

	words_for(&w, "busy", ways[_i % 2], 0);
	tracer = run_start(&w, &in);
	pid = child_of(tracer);
	wait_for_output("step");
	usleep(2003 * _i);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL,
		      "trapline ended with status %x", status);
	sum = summary();
	ck_assert_int_gt(number_of(sum, "hits"), 0);
	json_decref(sum);
	close(in);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("detach");
	TCase *tc = tcase_create("clean");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, leaves_a_busy_program, 0, 4 * NR_SIGNALS);
	tcase_add_loop_test(tc, ignores_what_was_ignored, 0, NR_SIGNALS);
	tcase_add_loop_test(tc, leaves_when_nobody_reads, 0, 2);
	tcase_add_loop_test(tc, leaves_parked_threads, 0, 2);
	tcase_add_loop_test(tc, leaves_after_the_limit, 0, 16);
	tcase_add_loop_test(tc, leaves_children, 0, 24);
	tcase_add_loop_test(tc, leaves_without_the_first_thread, 0, 2);
	tcase_add_loop_test(tc, leaves_at_once, 0, 60);
	tcase_add_loop_test(tc, survives_its_program, 0, 16);
	tcase_add_loop_test(tc, attaches_and_leaves, 0, 2);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

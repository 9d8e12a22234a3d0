// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_detach.c - leave a program at any moment: its text is as in its file, no
 * return address is ours, nothing is stopped, and it goes on to a good end.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

static const char *const ways[] = { "--step=auto", "--step=hw" };

/* The pid of the program that trapline launched: its only child. */
static pid_t child_of(pid_t pid)
{
	char name[64];
	int child = 0, i;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/task/%d/children", pid, pid);
	for (i = 0; i < 500 && child <= 0; i++) {
		f = fopen(name, "r");
		ck_assert_ptr_nonnull(f);
		if (fscanf(f, "%d", &child) != 1)
			usleep(10000);
		fclose(f);
	}
	ck_assert_int_gt(child, 0);
	return child;
}

/* Wait until the program has said something. */
static void wait_for_output(const char *start)
{
	char text[256];
	FILE *f;
	int i;

	for (i = 0; i < 2000; i++) {
		f = fopen(temporary("out"), "r");
		text[0] = '\0';
		if (f && fgets(text, sizeof(text), f) && strchr(text, '\n') &&
		    !strncmp(text, start, strlen(start))) {
			fclose(f);
			return;
		}
		if (f)
			fclose(f);
		usleep(10000);
	}
	ck_abort_msg("the program did not say '%s': '%s'", start, text);
}

/* Executable file mappings must be byte for byte what the file has. */
static void check_text(pid_t pid)
{
	char name[64], line[4352], perms[5], path[4096];
	unsigned long start, end, off, ino, n;
	unsigned char *mem, *file;
	int mem_fd, fd, compared = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	mem_fd = open(name, O_RDONLY);
	ck_assert_int_ge(mem_fd, 0);
	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s %lx %*s %lu %4095s", &start, &end,
			   perms, &off, &ino, path) < 6 ||
		    perms[2] != 'x' || !ino)
			continue;
		n = end - start;
		mem = calloc(1, n);
		file = calloc(1, n);
		fd = open(path, O_RDONLY);
		ck_assert(mem && file && fd >= 0);
		ck_assert_int_eq(pread(mem_fd, mem, n, start), n);
		ck_assert_int_gt(pread(fd, file, n, off), 0);
		ck_assert_msg(!memcmp(mem, file, n), "%s is patched", path);
		close(fd);
		free(mem);
		free(file);
		compared++;
	}
	fclose(maps);
	close(mem_fd);
	ck_assert_int_ge(compared, 2);
}

/* Every thread runs or sleeps, and nobody traces it. */
static void check_free(pid_t pid)
{
	char name[300], line[256];
	struct dirent *d;
	DIR *dir;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/task", pid);
	dir = opendir(name);
	ck_assert_ptr_nonnull(dir);
	while ((d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		snprintf(name, sizeof(name), "/proc/%d/task/%.20s/status", pid,
			 d->d_name);
		f = fopen(name, "r");
		while (f && fgets(line, sizeof(line), f)) {
			if (!strncmp(line, "State:", 6))
				ck_assert_msg(strchr("RSDZX", line[7]) != NULL,
					      "%s", line);
			if (!strncmp(line, "TracerPid:", 10))
				ck_assert_int_eq(atoi(line + 10), 0);
		}
		if (f)
			fclose(f);
	}
	closedir(dir);
}

/* Left by its parent, it became a child of ours. */
static void check_end(pid_t pid, const char *says)
{
	char text[1024];
	int status;
	size_t n;
	FILE *f;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(status == 0, "the program ended with status %x", status);
	f = fopen(temporary("out"), "r");
	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	ck_assert_msg(strstr(text, says) != NULL, "it said '%s'", text);
}

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

/* Wait until somebody traces it. */
static void wait_for_tracer(pid_t pid)
{
	char name[64], line[256];
	int tracer = 0, i;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	for (i = 0; i < 2000 && !tracer; i++) {
		usleep(10000);
		f = fopen(name, "r");
		ck_assert_ptr_nonnull(f);
		while (fgets(line, sizeof(line), f))
			if (!strncmp(line, "TracerPid:", 10))
				tracer = atoi(line + 10);
		fclose(f);
	}
	ck_assert_int_gt(tracer, 0);
}

/* Wait until the first breakpoint is there, wherever busy says its text is. */
static void wait_for_breakpoint(pid_t pid)
{
	unsigned char byte = 0;
	unsigned long at = 0;
	char name[64];
	int fd, i;
	FILE *f;

	f = fopen(temporary("out"), "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "step %lx", &at), 1);
	fclose(f);
	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	fd = open(name, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	for (i = 0; i < 2000 && byte != 0xcc; i++) {
		usleep(10000);
		ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
	}
	close(fd);
	ck_assert_int_eq(byte, 0xcc);
}

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
	json_t *sum;

	add_word(&w, "%s", target("busy"));
	pid = run_start(&w, &in);
	wait_for_output("step");
	for (i = 0; i < 10; i++) {
		start_attached(&w, ways[_i], pid);
		tracer = run_start_to(&w, &none, "tracer");
		wait_for_tracer(pid);
		wait_for_breakpoint(pid);
		usleep(100000 + 7001 * i);
		ck_assert_int_eq(kill(tracer, SIGINT), 0);
		ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
		ck_assert_msg(status == 0, "status %x", status);
		check_free(pid);
		check_text(pid);
		sum = summary();
		ck_assert_int_gt(number_of(sum, "hits"), 20);
		ck_assert_int_gt(number_of(sum, "returns"), 20);
		json_decref(sum);
		close(none);
		words_free(&w);
	}
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all right");
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
	tcase_add_loop_test(tc, attaches_and_leaves, 0, 2);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

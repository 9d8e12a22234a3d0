// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_repair.c - trapline is killed, and its process put right: threads in
 * slots, pending returns, breakpoints, counters. And what there is to say if not.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "run.h"

static const char *const ways[] = { "--step=auto", "--step=bp" };

static void repair(struct run *r, pid_t pid)
{
	struct words w = { 0 };
	int in;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "repair");
	add_word(&w, "-p%d", pid);
	run_finish_to(r, run_start_to(&w, &in, "repair-"), "repair-");
	close(in);
}

static pid_t attach(const char *name, const char *way, pid_t pid, int *in)
{
	struct words w;
	pid_t tracer;

	trace_words(&w, "-c", way, NULL);
	probe_all(&w, target(name), true, true);
	add_word(&w, "-er:libc.so.6:usleep");
	add_word(&w, "-p%d", pid);
	tracer = run_start_to(&w, in, "tracer-");
	wait_for_tracer(pid);
	words_free(&w);
	return tracer;
}

static void kill_tracer(pid_t tracer)
{
	int status;

	ck_assert_int_eq(kill(tracer, SIGKILL), 0);
	ck_assert_int_eq(waitpid(tracer, &status, 0), tracer);
	ck_assert(WIFSIGNALED(status));
}

/* ---- what can be saved -------------------------------------------------------- */

/*
 * Twenty threads wait for their data, in slots, in calls that shall return. From
 * a copy that jumps back they find out by themselves.
 */
START_TEST(takes_threads_out_of_slots)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	int in, none;
	struct run r;

	add_word(&w, "%s", target("park"));
	add_word(&w, "20");
	add_word(&w, "wait");
	pid = run_start(&w, &in);
	tracer = attach("park", ways[_i % 2], pid, &none);
	wait_for_sleep(tracer);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	wait_for_output("ready 20");
	kill_tracer(tracer);
	repair(&r, pid);
	ck_assert_msg(r.code == 0, "%d %s%s", r.code, r.out, r.err);
	ck_assert_msg(
		strstr(r.out, " 40 return addresses") &&
			strstr(r.out, _i % 2 ? " 20 threads" : " 0 threads"),
		"%s", r.out);
	run_free(&r);
	check_free(pid);
	check_text(pid);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	close(none);
	check_end(pid, "all finished");
}
END_TEST

/* Stopped as by its user, and its tracer has nothing left to do. */
static void wait_for_rest(pid_t pid, pid_t tracer)
{
	int i, still = 0;

	for (i = 0; i < 2000 && still < 20; i++) {
		usleep(10000);
		still = state_of(pid) == 't' && state_of(tracer) == 'S'
				? still + 1
				: 0;
	}
	ck_assert_int_eq(still, 20);
}

/* As the manual has it: stop it, kill, repair, continue. */
START_TEST(saves_what_was_stopped)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	int in, none, i;
	struct run r;

	add_word(&w, "%s", target("busy"));
	pid = run_start(&w, &in);
	wait_for_output("step");
	tracer = attach("busy", ways[_i % 2], pid, &none);
	wait_for_breakpoint(pid);
	usleep(100000 + 3001 * _i);
	ck_assert_int_eq(kill(pid, SIGSTOP), 0);
	wait_for_rest(pid, tracer);
	kill_tracer(tracer);
	repair(&r, pid);
	ck_assert_msg(r.code == 0, "%d %s%s", r.code, r.out, r.err);
	/* Four functions, usleep, and places of trapline's own. */
	ck_assert_msg(strtol(strchr(r.out, ':') + 1, NULL, 10) >= 5, "%s",
		      r.out);
	run_free(&r);
	for (i = 0; i < 200 && state_of(pid) != 'T'; i++)
		usleep(10000);
	ck_assert_int_eq(state_of(pid), 'T');
	check_text(pid);
	ck_assert_int_eq(kill(pid, SIGCONT), 0);
	usleep(50000);
	check_free(pid);
	/* A trace of what was repaired finds nothing odd. */
	tracer = attach("busy", ways[_i % 2], pid, &none);
	wait_for_breakpoint(pid);
	ck_assert_int_eq(kill(tracer, SIGINT), 0);
	ck_assert_int_eq(waitpid(tracer, NULL, 0), tracer);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all right");
}
END_TEST

/* What is in a process's memory from that offset of a file on; -1: not mapped. */
static int counter_in(pid_t pid, const char *path, unsigned long off)
{
	unsigned long start, end, from, at = 0;
	char name[64], line[4500];
	unsigned short value;
	FILE *maps;
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	ck_assert_ptr_nonnull(maps = fopen(name, "r"));
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*cw%*s %lx", &start, &end, &from) ==
			    3 &&
		    strstr(line, path) && off - from < end - start)
			at = start + off - from;
	fclose(maps);
	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	ck_assert_int_ge(fd = open(name, O_RDONLY), 0);
	if (!at || pread(fd, &value, sizeof(value), at) != sizeof(value))
		value = at = 0;
	close(fd);
	return at ? value : -1;
}

/* A library that came later counts as well. */
START_TEST(takes_counters_back)
{
	struct words w = { 0 }, program = { 0 };
	unsigned long own, late, shared;
	pid_t tracer, pid;
	struct run r;
	int none, i;

	add_word(&w, "%s", target("semaphore"));
	add_word(&w, "places");
	run(&r, &w, NULL);
	ck_assert_int_eq(sscanf(r.out, "%lx %lx %lx", &own, &late, &shared), 3);
	run_free(&r);
	add_word(&program, "%s", target("semaphore"));
	add_word(&program, "watch");
	pid = run_start(&program, &none);
	wait_for_output("waiting");
	trace_words(&w, ways[_i], NULL);
	add_word(&w, "-ep:%s:probed_work(%#lx)", target("semaphore"), own);
	add_word(&w, "-er:%s:probed_more(%#lx)", target("semaphore"), own);
	add_word(&w, "-ep:%s:probed_late(%#lx)", target("libsemaphore.so"),
		 late);
	add_word(&w, "-p%d", pid);
	tracer = run_start_to(&w, &none, "tracer-");
	for (i = 0; i < 2000 && counter_in(pid, "libsemaphore.so", late) < 1;
	     i++)
		usleep(10000);
	ck_assert_int_eq(kill(pid, SIGSTOP), 0);
	wait_for_rest(pid, tracer);
	kill_tracer(tracer);
	ck_assert_int_eq(counter_in(pid, "/semaphore", own), 2);
	ck_assert_int_eq(counter_in(pid, "libsemaphore.so", late), 1);
	repair(&r, pid);
	ck_assert_msg(r.code == 0, "%d %s%s", r.code, r.out, r.err);
	ck_assert_msg(strstr(r.out, "2 reference counters"), "%s", r.out);
	run_free(&r);
	ck_assert_int_eq(counter_in(pid, "/semaphore", own), 0);
	ck_assert_int_eq(counter_in(pid, "libsemaphore.so", late), 0);
	check_text(pid);
	ck_assert_int_eq(kill(pid, SIGCONT), 0);
	check_end(pid, ", then 0; up to ");
}
END_TEST

/* ---- what there is to say ----------------------------------------------------- */

START_TEST(refuses_to_trace_it_before)
{
	struct words w = { 0 };
	pid_t tracer, pid;
	struct run r;
	int in, none;

	add_word(&w, "%s", target("park"));
	add_word(&w, "1");
	add_word(&w, "wait");
	pid = run_start(&w, &in);
	tracer = attach("park", ways[_i % 2], pid, &none);
	wait_for_sleep(tracer);
	repair(&r, pid);
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, "is traced by process"), "%s", r.err);
	run_free(&r);
	kill_tracer(tracer);
	w.n = 0;
	trace_words(&w, "-c", NULL);
	probe_all(&w, target("park"), true, true);
	add_word(&w, "-p%d", pid);
	run_finish_to(&r, run_start_to(&w, &none, "again-"), "again-");
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, "trapline repair -p"), "%s", r.err);
	run_free(&r);
	repair(&r, pid);
	ck_assert_msg(r.code == 0, "%s", r.err);
	run_free(&r);
	repair(&r, pid);
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, "nothing to repair"), "%s", r.err);
	run_free(&r);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	wait_for_output("ready 1");
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	close(in);
	check_end(pid, "all finished");
}
END_TEST

static bool has_record(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/shm/trapline.%d", pid);
	return !access(path, F_OK);
}

static pid_t start_parked(int *in)
{
	struct words w = { 0 };

	add_word(&w, "%s", target("park"));
	add_word(&w, "1");
	add_word(&w, "wait");
	return run_start(&w, in);
}

/* A process whose tracer was killed ends by itself: the next trace tidies up. */
START_TEST(forgets_who_has_ended)
{
	pid_t dead, pid, tracer;
	int in, other, none;

	dead = start_parked(&in);
	tracer = attach("park", ways[0], dead, &none);
	wait_for_sleep(tracer);
	kill_tracer(tracer);
	ck_assert(has_record(dead));
	ck_assert_int_eq(kill(dead, SIGKILL), 0);
	pid = start_parked(&other);
	/* Not yet waited for, it is still there. */
	tracer = attach("park", ways[0], pid, &none);
	wait_for_sleep(tracer);
	ck_assert(has_record(dead) && has_record(pid));
	ck_assert_int_eq(kill(tracer, SIGINT), 0);
	ck_assert_int_eq(waitpid(tracer, NULL, 0), tracer);
	ck_assert(!has_record(pid));
	ck_assert_int_eq(waitpid(dead, NULL, 0), dead);
	tracer = attach("park", ways[0], pid, &none);
	wait_for_sleep(tracer);
	ck_assert(!has_record(dead) && has_record(pid));
	ck_assert_int_eq(kill(tracer, SIGINT), 0);
	ck_assert_int_eq(waitpid(tracer, NULL, 0), tracer);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(in);
	close(other);
}
END_TEST

START_TEST(knows_no_such_process)
{
	pid_t pid = fork();
	struct run r;

	if (!pid)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	repair(&r, pid);
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, "there is no process") &&
			      strstr(r.err, "ps -e lists"),
		      "%s", r.err);
	run_free(&r);
}
END_TEST

/* What trapline has launched dies with it: there is nothing to repair. */
START_TEST(launched_programs_die_too)
{
	struct words w;
	pid_t tracer, pid;
	int in, status;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	trace_words(&w, "-c", NULL);
	probe_all(&w, target("busy"), true, true);
	add_word(&w, "%s", target("busy"));
	tracer = run_start(&w, &in);
	pid = child_of(tracer);
	wait_for_output("step");
	kill_tracer(tracer);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	close(in);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("repair");
	TCase *tc = tcase_create("killed");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, takes_threads_out_of_slots, 0, 2);
	tcase_add_loop_test(tc, saves_what_was_stopped, 0, 4);
	tcase_add_loop_test(tc, takes_counters_back, 0, 2);
	tcase_add_test(tc, refuses_to_trace_it_before);
	tcase_add_test(tc, forgets_who_has_ended);
	tcase_add_test(tc, knows_no_such_process);
	tcase_add_test(tc, launched_programs_die_too);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

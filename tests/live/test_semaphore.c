// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_semaphore.c - reference counters on real programs: each counts the probes
 * that are in, in the program and in a library that comes later, and is as it
 * was before when they have gone, also in children that nobody traces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

static unsigned long own_place, late_place, shared_place;

static void find_places(void)
{
	struct words w = { 0 };
	struct run r;

	add_word(&w, "%s", target("semaphore"));
	add_word(&w, "places");
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 0);
	ck_assert_int_eq(sscanf(r.out, "%lx %lx %lx", &own_place, &late_place,
				&shared_place),
			 3);
	run_free(&r);
}

static void probe(struct words *w, const char *kind, const char *file,
		  const char *symbol, unsigned long ref_ctr)
{
	add_word(w, "-e");
	add_word(w, "%s:%s:%s(0x%lx)", kind, target(file), symbol, ref_ctr);
}

static const struct value_case {
	const char *work, *more, *late; /* kinds of probe, NULL: none */
	bool shared;			/* by which counter `more` counts */
	const char *says;
} value_cases[] = {
	{ NULL, NULL, NULL, false,
	  "own 0\nchild 0 3\nchild 0 3\nown 0\nlate 0\nshared 3\n" },
	{ "p", NULL, NULL, false,
	  "own 1\nchild 0 3\nchild 0 3\nown 1\nlate 0\nshared 3\n" },
	{ "r", "p", "p", false,
	  "own 2\nchild 0 3\nchild 0 3\nown 2\nlate 1\nshared 3\n" },
	{ NULL, "p", "r", true,
	  "own 0\nchild 0 3\nchild 0 3\nown 0\nlate 1\nshared 4\n" },
};

/* From the program's first instruction on. */
START_TEST(counts)
{
	const struct value_case *c = &value_cases[_i];
	struct words w;
	struct run r;

	find_places();
	trace_words(&w, "-ep:libc.so.6:fork", NULL);
	if (c->work)
		probe(&w, c->work, "semaphore", "probed_work", own_place);
	if (c->more)
		probe(&w, c->more, "semaphore", "probed_more",
		      c->shared ? shared_place : own_place);
	if (c->late)
		probe(&w, c->late, "libsemaphore.so", "probed_late",
		      late_place);
	add_word(&w, "%s", target("semaphore"));
	add_word(&w, "values");
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "status %d, '%s'", r.code, r.err);
	ck_assert_str_eq(r.out, c->says);
	ck_assert_str_eq(r.err, "");
	run_free(&r);
}
END_TEST

static void wait_for(const char *text)
{
	char line[64] = "";
	FILE *f;
	int i;

	for (i = 0; i < 1000 && !strstr(line, text); i++) {
		usleep(10000);
		f = fopen(temporary("watch-out"), "r");
		if (f && !fgets(line, sizeof(line), f))
			*line = '\0';
		if (f)
			fclose(f);
	}
	ck_assert_msg(strstr(line, text) != NULL, "it said '%s'", line);
}

/* Attach and leave again; the program goes on by itself. What it said. */
static void attach_and_leave(const char *what, char *says, size_t n)
{
	struct words program = { 0 }, w;
	int status, in;
	struct run r;
	pid_t pid;
	FILE *f;

	find_places();
	add_word(&program, "%s", target("semaphore"));
	add_word(&program, "%s", what);
	pid = run_start_to(&program, &in, "watch-");
	wait_for("waiting");

	trace_words(&w, "--limit=8", NULL);
	probe(&w, "p", "semaphore", "probed_work", own_place);
	probe(&w, "r", "semaphore", "probed_more", own_place);
	probe(&w, "p", "libsemaphore.so", "probed_late", late_place);
	add_word(&w, "-p");
	add_word(&w, "%d", pid);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "status %d, '%s'", r.code, r.err);
	run_free(&r);

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(status == 0, "the program ended with status %x", status);
	f = fopen(temporary("watch-out"), "r");
	ck_assert_ptr_nonnull(f);
	n = fread(says, 1, n - 1, f);
	says[n] = '\0';
	fclose(f);
}

START_TEST(counts_while_attached)
{
	char says[200];

	attach_and_leave("watch", says, sizeof(says));
	ck_assert_str_eq(says, "waiting\nup to 2, then 0; up to 1, then 0\n");
}
END_TEST

/*
 * A counter that the program itself has set back cannot go down. The kernel
 * would leave the breakpoint and keep the probe; we do not leave it.
 */
START_TEST(leaves_a_program_that_resets)
{
	char says[200];

	attach_and_leave("reset", says, sizeof(says));
	ck_assert_msg(!strncmp(says, "waiting\nup to ", 14), "it said '%s'",
		      says);
}
END_TEST

static const struct refused {
	const char *counter, *says;
} refused[] = {
	{ "(0x4001)", "even offset" },
	{ "(0x400)", "is not writable data" },
	{ "(0x1000000)", "is not writable data" },
	{ "(0x)", "not a number" },
};

START_TEST(refuses)
{
	struct words w;
	struct run r;

	trace_words(&w, "-e", NULL);
	add_word(&w, "p:%s:probed_work%s", target("semaphore"),
		 refused[_i].counter);
	add_word(&w, "true");
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, refused[_i].says) != NULL, "'%s'", r.err);
	ck_assert_msg(strstr(r.err, "^~") != NULL, "'%s'", r.err);
	run_free(&r);
}
END_TEST

/* A place has one counter. */
START_TEST(refuses_a_second_one)
{
	struct words w;
	struct run r;

	find_places();
	trace_words(&w, NULL);
	probe(&w, "p", "semaphore", "probed_work", own_place);
	probe(&w, "r", "semaphore", "probed_work", shared_place);
	add_word(&w, "%s", target("semaphore"));
	add_word(&w, "values");
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 125);
	ck_assert_msg(strstr(r.err, "has another reference counter") != NULL,
		      "'%s'", r.err);
	ck_assert_str_eq(r.out, "");
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("semaphore");
	TCase *tc = tcase_create("counters");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, counts, 0,
			    sizeof(value_cases) / sizeof(*value_cases));
	tcase_add_test(tc, counts_while_attached);
	tcase_add_test(tc, leaves_a_program_that_resets);
	tcase_add_loop_test(tc, refuses, 0, sizeof(refused) / sizeof(*refused));
	tcase_add_test(tc, refuses_a_second_one);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

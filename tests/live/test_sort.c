// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sort.c - coreutils' sort at work on a large file, attached to and left
 * again and again, with entry and return probes on the functions of libc that it
 * calls most: what it sorts is right, and whenever it is left its text is as in
 * the files.
 *
 * Ten times; TRAPLINE_FULL: a hundred times. sort reads from a pipe, which is
 * filled while a trace lasts, so that it has something to do.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "run.h"

#define PIECE 20000 /* lines; more than what sort holds in memory */
#define HITS 200

static const char *const busiest[] = { "memcmp",  "memchr",
				       "mempcpy", "fwrite_unlocked",
				       "memcpy",  "fread_unlocked" };

static void sort_words(struct words *w, const char *result)
{
	static const char *const words[] = { "sort", "-S200k", "--parallel=2" };
	unsigned int i;

	w->n = 0;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		add_word(w, "%s", words[i]);
	add_word(w, "-T%s", temporary(""));
	add_word(w, "-o%s", temporary(result));
}

static void write_piece(FILE *to, FILE *copy)
{
	unsigned int i;
	long r;

	for (i = 0; i < PIECE; i++) {
		r = random() * 1000003;
		ck_assert_int_gt(fprintf(to, "%lx\n", r), 0);
		ck_assert_int_gt(fprintf(copy, "%lx\n", r), 0);
	}
	ck_assert_int_eq(fflush(to), 0);
}

/* Beside the program: what it calls is attached to, and left after some hits. */
static pid_t attach(pid_t pid, unsigned int round)
{
	static const char *const ways[] = { "--step=auto", "--step=hw",
					    "--step=bp" };
	struct words w;
	unsigned int i;
	pid_t tracer;
	int in;

	trace_words(&w, "-c", ways[round % 3], NULL);
	add_word(&w, "--limit=%d", HITS);
	add_word(&w, "-p%d", pid);
	for (i = 0; i < sizeof(busiest) / sizeof(*busiest); i++) {
		add_word(&w, "-ep:libc.so.6:%s", busiest[i]);
		add_word(&w, "-er:libc.so.6:%s", busiest[i]);
	}
	tracer = run_start_to(&w, &in, "trace-");
	close(in);
	words_free(&w);
	return tracer;
}

/* There is something to sort until it has left, and nothing of it stays. */
static void left_well(pid_t pid, pid_t tracer, FILE *to, FILE *copy)
{
	json_t *sum;
	int status;
	pid_t got;

	while (!(got = waitpid(tracer, &status, WNOHANG)))
		write_piece(to, copy);
	ck_assert_int_eq(got, tracer);
	ck_assert_msg(status == 0, "the trace ended with 0x%x", status);
	check_free(pid);
	check_text(pid);
	sum = summary();
	/* The limit is exact. */
	ck_assert_int_eq(number_of(sum, "hits") + number_of(sum, "returns"),
			 HITS);
	json_decref(sum);
}

START_TEST(sorts_right)
{
	unsigned int round, rounds = getenv("TRAPLINE_FULL") ? 100 : 10;
	FILE *copy = fopen(temporary("lines"), "w"), *to;
	struct words w = { 0 };
	struct run r;
	pid_t pid;
	int in;

	ck_assert_ptr_nonnull(copy);
	signal(SIGPIPE, SIG_IGN);
	setenv("LC_ALL", "C", 1);
	sort_words(&w, "sorted");
	pid = run_start(&w, &in);
	ck_assert_ptr_nonnull(to = fdopen(in, "w"));
	write_piece(to, copy);
	for (round = 0; round < rounds; round++) {
		left_well(pid, attach(pid, round), to, copy);
	}
	fclose(to);
	fclose(copy);
	run_finish(&r, pid);
	ck_assert_msg(r.code == 0 && !*r.err, "%d: %s", r.code, r.err);
	run_free(&r);

	sort_words(&w, "expected");
	add_word(&w, "%s", temporary("lines"));
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 0);
	run_free(&r);
	w.n = 0;
	add_word(&w, "cmp");
	add_word(&w, "%s", temporary("sorted"));
	add_word(&w, "%s", temporary("expected"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%s", r.out);
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sort");
	TCase *tc = tcase_create("attach and detach");

	tcase_set_timeout(tc, getenv("TRAPLINE_FULL") ? 3600 : 70);
	tcase_add_test(tc, sorts_right);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

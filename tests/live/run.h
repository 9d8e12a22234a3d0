/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - run programs, with and without trapline, and compare.
 *
 * Everything lives in the test's own temporary directory. A program that does
 * not end within a minute (TRAPLINE_FULL: an hour) is told to end and fails the
 * test.
 */
#ifndef TESTS_LIVE_RUN_H
#define TESTS_LIVE_RUN_H

#include <stdbool.h>
#include <sys/types.h>
#include <check.h>
#include <jansson.h>

/* What a program left behind. */
struct run {
	int code; /* exit status, or 128 + signal, as a shell says it */
	char *out, *err;
};

/* Words of a command; the last is NULL. */
#define MAX_WORDS 5000
struct words {
	char *word[MAX_WORDS];
	unsigned int n;
};
__attribute__((format(printf, 2, 3))) void add_word(struct words *w,
						    const char *fmt, ...);
/* The start of a command by somebody who is not root. */
void unprivileged_words(struct words *w);
void words_free(struct words *w);

/* Path of a target; static storage. */
const char *target(const char *name);
/* Path of a file in the temporary directory; static storage. */
const char *temporary(const char *name);

/* Start with stdin from a pipe (*in) and outputs in files; its pid. */
pid_t run_start(const struct words *w, int *in);
/* With outputs in files of other names, for a second program. */
pid_t run_start_to(const struct words *w, int *in, const char *prefix);
/* Wait for its end and collect. */
void run_finish(struct run *r, pid_t pid);
void run_finish_to(struct run *r, pid_t pid, const char *prefix);
/* Both; `input` may be NULL. */
void run(struct run *r, const struct words *w, const char *input);
void run_free(struct run *r);

/* "trapline trace", JSON to a file, and options. */
void trace_words(struct words *w, const char *options, ...);
/* -e for entry and/or return of every function probed_* of a target. */
void probe_all(struct words *w, const char *path, bool entry, bool ret);
/* The summary of the last trace. The caller drops it. */
json_t *summary(void);
/* Of one probe in it; -1 if it is not there. kind is "hits" or "returns". */
long count_of(json_t *summary, const char *probe, const char *kind);
long number_of(json_t *summary, const char *key);

/* Run the suite; 77 and a word of explanation where ptrace is forbidden. */
int run_suite(Suite *s);

#endif /* TESTS_LIVE_RUN_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_whole.c - entry and return probes on every function of libc that no rule
 * names, those of its debug package included if that is installed: whole
 * programs write what they write without, and end as they do.
 *
 * TRAPLINE_FULL: larger runs with every probe, then the small ones with each kind
 * of probe alone and each way to step.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static const struct program {
	const char *command, *full; /* in its long form */
	long hits;		    /* at least, in the short form */
} programs[] = {
	{ "ls -lR model arch", "ls -lR /usr/share", 5000 },
	{ "python3 -S -E -c 'import sys; print(sys.version); sys.exit(3)'",
	  "python3 -c '"
	  "import hashlib, json, os, re, subprocess, sys, threading\n"
	  "print(json.dumps({\"a\": [1, 2.5, None]}), re.sub(\"b+\", \"c\", "
	  "\"abbd\"))\n"
	  "print(hashlib.sha256(b\"x\" * 9999).hexdigest())\n"
	  "print(subprocess.run([\"echo\", \"hi\"], "
	  "capture_output=True).stdout)\n"
	  "t = threading.Thread(target=lambda: print(\"thread\"))\n"
	  "t.start(); t.join(); sys.stdout.flush()\n"
	  "pid = os.fork()\n"
	  "if not pid: os._exit(4)\n"
	  "print(os.waitpid(pid, 0)[1]); sys.exit(3)'",
	  20000 },
	{ "bash -c 'for i in 1 2 3; do echo $i | cat; done; ls / | sort -r | "
	  "head -3; f() { echo $(echo sub $1 | tr a-z A-Z); }; f one; "
	  "(cd /; pwd); sleep 0.01 & wait; diff <(echo a) <(echo b); "
	  "trap \"echo bye\" EXIT; exit 5'",
	  NULL, 5000 },
	{ "git --no-pager log --stat -5", "git --no-pager log --stat", 2000 },
	{ "sh -c 'echo before; kill -USR1 $$; echo behind'", NULL, 500 },
};
#define NR_PROGRAMS (sizeof(programs) / sizeof(*programs))

static const char *const ways[] = { "--step=auto", "--step=hw", "--step=bp" };
static const char *const kinds[] = { "pr", "p", "r" };

static bool full(void)
{
	return getenv("TRAPLINE_FULL");
}

static void words_of(struct words *w, const char *command)
{
	add_word(w, "sh");
	add_word(w, "-c");
	add_word(w, "exec %s", command);
}

/* What the program wrote to stderr; trapline says what a pattern leaves out. */
static void without_notes(char *text)
{
	char *line, *to = text, *next;

	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (!strncmp(line, "trapline: ", 10))
			continue;
		memmove(to, line, next - line);
		to += next - line;
	}
	*to = '\0';
}

static unsigned int probes_of(json_t *sum, const char *kind)
{
	unsigned int n = 0;
	json_t *p;
	size_t i;

	json_array_foreach(json_object_get(sum, "probes"), i, p)
		n += json_object_get(p, kind) != NULL;
	return n;
}

/* Nothing is left out quietly: a handful of places, and what 40 rules name. */
static void check_probes(json_t *sum, const char *kind)
{
	unsigned int entries = probes_of(sum, "hits");
	unsigned int returns = probes_of(sum, "returns");
	bool debug = count_of(sum, "_int_malloc",
			      strchr(kind, 'p') ? "hits" : "returns") >= 0;

	printf("%u entry and %u return probes, %s: %ld hits, %ld returns\n",
	       entries, returns,
	       debug ? "with the debug package's symbols"
		     : "of the dynamic symbols; libc6-dbg is not installed",
	       number_of(sum, "hits"), number_of(sum, "returns"));
	if (strchr(kind, 'p'))
		ck_assert_uint_gt(entries, debug ? 3500 : 2000);
	if (strchr(kind, 'r'))
		ck_assert_uint_gt(returns, debug ? 3300 : 1900);
	if (strlen(kind) == 2)
		ck_assert_uint_lt(entries - returns, debug ? 160 : 30);
}

/* These do not return, or they are jumped over. */
static const char *const never_return[] = {
	"_dl_signal_*", "*exit*",	 "*_Exit", "*exec*",
	"*longjmp*",	"__libc_start*", "*_doit", "__restore_rt",
	"abort",	"*raise*",	 "*kill*", "start_thread",
};

static void check_missed(json_t *sum)
{
	const char *name;
	unsigned int j;
	json_t *p;
	size_t i;

	json_array_foreach(json_object_get(sum, "probes"), i, p)
	{
		if (!number_of(p, "missed"))
			continue;
		name = json_string_value(json_object_get(p, "probe"));
		for (j = 0; j < sizeof(never_return) / sizeof(*never_return);
		     j++)
			if (!fnmatch(never_return[j], name, 0))
				break;
		ck_assert_msg(j < sizeof(never_return) / sizeof(*never_return),
			      "%s: %ld did not return", name,
			      number_of(p, "missed"));
	}
}

/* Where they part: of a text of megabytes that is what helps. */
static void same_text(const char *what, const char *alone, const char *traced)
{
	size_t i = 0, line = 0;

	for (; alone[i] && alone[i] == traced[i]; i++)
		if (alone[i] == '\n')
			line = i + 1;
	ck_assert_msg(alone[i] == traced[i],
		      "%s, byte %zu: '%.*s' alone, '%.*s' traced", what, i,
		      (int)strcspn(alone + line, "\n"), alone + line,
		      (int)strcspn(traced + line, "\n"), traced + line);
}

static void same(const struct program *p, const char *command, const char *kind,
		 const char *way)
{
	struct words plain = { 0 }, traced;
	struct run a, b;
	json_t *sum;

	words_of(&plain, command);
	run(&a, &plain, NULL);
	ck_assert_int_ne(a.code, 127);
	trace_words(&traced, "-c", way, NULL);
	for (const char *k = kind; *k; k++)
		add_word(&traced, "-e%c:libc.so.6:*", *k);
	add_word(&traced, "--");
	words_of(&traced, command);
	run(&b, &traced, NULL);
	without_notes(b.err);
	ck_assert_msg(a.code == b.code, "%s %s: %d, and traced %d: %s", kind,
		      way, a.code, b.code, b.err);
	same_text("stdout", a.out, b.out);
	same_text("stderr", a.err, b.err);
	sum = summary();
	check_probes(sum, kind);
	if (strchr(kind, 'p'))
		ck_assert_int_ge(number_of(sum, "hits"), p->hits);
	if (strchr(kind, 'r'))
		ck_assert_int_ge(number_of(sum, "returns"), p->hits);
	check_missed(sum);
	json_decref(sum);
	run_free(&a);
	run_free(&b);
}

START_TEST(is_the_same)
{
	const struct program *p = &programs[_i];

	same(p, full() && p->full ? p->full : p->command, kinds[0], ways[0]);
}
END_TEST

/* Each kind alone and each way, in the long form. */
START_TEST(is_the_same_any_way)
{
	const struct program *p = &programs[_i / 4];
	unsigned int how = _i % 4;

	same(p, p->command, how < 2 ? kinds[how + 1] : kinds[0],
	     how < 2 ? ways[0] : ways[how - 1]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("whole");
	TCase *tc = tcase_create("all of libc");

	if (chdir(SOURCE_DIR)) /* for git */
		return 1;
	setbuf(stdout, NULL);
	tcase_set_timeout(tc, full() ? 3600 : 70);
	tcase_add_loop_test(tc, is_the_same, 0, NR_PROGRAMS);
	if (full())
		tcase_add_loop_test(tc, is_the_same_any_way, 0,
				    4 * NR_PROGRAMS);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

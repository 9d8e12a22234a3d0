// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_usage.c - statuses, formats, and one clear message for each mistake.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

/* @ stands for the path of the target `odd`. */
static const struct refused {
	const char *spec, *says, *mark;
} refused[] = {
	{ "p:libc.so.6:mallok", "did you mean 'malloc'?", "^~~~~~" },
	{ "p:libc.so.6:zzzzzzzzzzzz", "has no symbol", "^~~~~~~~~~~~" },
	{ "p:/does/not/exist:f", "no such file", "^~~~~~~~~~~~~~~" },
	{ "p:nosuchlibrary:f", "no such file", "^~~~~~~~~~~~~" },
	{ "p:/etc/passwd:f", "not an ELF file", "^~~~~~~~~~~" },
	{ "p:/etc:f", "/etc: not a regular file", "^~~~" },
	{ "p:/dev/null:f", "/dev/null: not a regular file", "^~~~~~~~~" },
	{ "malloc", "starts with p:", "^~~~~~" },
	{ "p:libc.so.6:mal\x1b[31m", "no symbol 'mal\\x1b[31m'",
	  "error: p:libc.so.6:mal\\x1b[31m\n                   ^~~~~~~~~~~\n" },
	{ "\x01\n\xff\xc2\x9bp:libc.so.6:malloc", "starts with p:",
	  "error: \\x01\\x0a\\xff\\xc2\\x9bp:libc.so.6:malloc\n       ^~~~" },
	{ "p:./\xc3\xa4:f", "no such file",
	  "error: p:./\xc3\xa4:f\n         ^~~\n" },
	{ "p:libc.so.6:malloc+0x10000000000000000", "more than 64 bits", "^~" },
	{ "uprobe:libc.so.6:puts { printf(1); }",
	  "nor actions; write p:", "^~~~" },
	{ "p:libc.so.6:malloc+x", "not a number", "^" },
	{ "p:libc.so.6:puts %dii", "did you mean %di?", "^~~~" },
	{ "p:libc.so.6:puts $retval", "use r:", "^~~~~~~" },
	{ "p:libc.so.6:environ", "is data", "^~~~~~~" },
	{ "p:libc.so.6:0x10", "is not code", "^~~~" },
	{ "p:@:odd_long+1",
	  "inside an instruction of odd_long; the next one "
	  "is at +10",
	  NULL },
	{ "p:libc.so.6:opendir+0x100000", "opendir is 0x",
	  "                          ^~~~~~~~~\n" },
	{ "p:@:odd_long+11", "odd_long is 0xb bytes long", "^~~\n" },
	{ "p:@:odd_long+0xffffffffffffffff", "odd_long is 0xb bytes", NULL },
	{ "p:@:odd_lock", "(f0 ff 05", NULL },
	{ "p:@:odd_lock", "lock inc", NULL },
	{ "p:@:odd_lock", "a lock or segment prefix is refused", NULL },
	{ "p:@:odd_ss", "delays the trap", NULL },
	{ "p:@:odd_ifunc", "only chooses an implementation", NULL },
	{ "r:@:odd_long+10", "belongs to the function's start", NULL },
	{ "r:@:_start", "no return address", NULL },
	{ "r:libc.so.6:_setjmp", "returns twice", "^~~~~~~" },
	{ "r:libc.so.6:vfork", "returns twice", NULL },
	{ "r:libc.so.6:getcontext", "returns twice", NULL },
	{ "r:libc.so.6:dlsym", "acts by who calls it", NULL },
};

START_TEST(refuses_probe)
{
	const struct refused *x = &refused[_i];
	const char *at = strchr(x->spec, '@');
	struct words w;
	struct run r;

	trace_words(&w, "-e", NULL);
	if (at)
		add_word(&w, "%.*s%s%s", (int)(at - x->spec), x->spec,
			 target("odd"), at + 1);
	else
		add_word(&w, "%s", x->spec);
	add_word(&w, "--");
	add_word(&w, "echo");
	add_word(&w, "ran");
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 125);
	ck_assert_str_eq(r.out, "");
	ck_assert_msg(strstr(r.err, x->says) != NULL, "'%s'", r.err);
	ck_assert_msg(!x->mark || strstr(r.err, x->mark), "'%s'", r.err);
	run_free(&r);
}
END_TEST

/* Nobody writes into it: opening it must not wait for somebody. */
START_TEST(refuses_a_pipe)
{
	static const char *const command[][2] = {
		{ "trace", "-ep:%s:f" },
		{ "insn", "%s" },
		{ "insn", "%s:f" },
	};
	const char *pipe = temporary("pipe");
	struct words w = { 0 };
	struct run r;

	ck_assert_int_eq(mkfifo(pipe, 0600), 0);
	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "%s", command[_i][0]);
	add_word(&w, command[_i][1], pipe);
	if (!_i)
		add_word(&w, "true");
	run(&r, &w, NULL);
	ck_assert_int_eq(unlink(pipe), 0);
	ck_assert_msg(r.code == (_i ? 2 : 125), "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, "not a regular file") != NULL, "'%s'",
		      r.err);
	run_free(&r);
}
END_TEST

/* The same places are fine for a probe of the other kind or beside them. */
START_TEST(accepts_neighbours)
{
	static const char *const spec[] = { "p:%s:odd_long", "r:%s:odd_long",
					    "p:%s:odd_syscall+5",
					    "p:%s:odd_lock+7", "p:%s:_start" };
	struct words w;
	struct run r;

	trace_words(&w, "-c", "-e", NULL);
	add_word(&w, spec[_i], target("odd"));
	add_word(&w, "%s", target("odd"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%s", r.err);
	ck_assert_str_eq(r.err, "");
	run_free(&r);
}
END_TEST

static const struct bad_usage {
	const char *word[4];
	int code;
	const char *says;
} bad_usage[] = {
	{ { "-e", "p:libc.so.6:malloc" }, 125, "no program" },
	{ { "--", "true" }, 125, "no probe" },
	{ { "--format=xml", "-e", "p:libc.so.6:malloc", "true" },
	  125,
	  "formats are" },
	{ { "--variant=6.12", "-e", "p:libc.so.6:malloc", "true" },
	  125,
	  "variants are 6.13 to 6.18, or" },
	{ { "--step=fast", "-e", "p:libc.so.6:malloc", "true" },
	  125,
	  "ways to step" },
	{ { "--limit=-1", "-e", "p:libc.so.6:malloc", "true" },
	  125,
	  "above 0 is expected, as in --limit 100" },
	{ { "--limit=99999999999999999999", "-e", "p:libc.so.6:malloc",
	    "true" },
	  125,
	  "needs more than 64 bits; give a smaller one" },
	{ { "-e", "p:libc.so.6:malloc", "/does/not/exist" },
	  127,
	  "/does/not/exist: No such file" },
	{ { "-e", "p:libc.so.6:malloc", "no-such-program" },
	  127,
	  "no-such-program: No such file or directory; give its path" },
	{ { "-e", "p:libc.so.6:malloc", "/etc/passwd" },
	  126,
	  "Permission denied; it has to be a file, executable" },
	{ { "-e", "p:libc.so.6:malloc", "/etc" }, 126, "Permission denied" },
	{ { "-e", "p:libc.so.6:malloc", "-p4194304" },
	  125,
	  "there is no process 4194304" },
	{ { "-e", "p:libc.so.6:malloc", "-p1", "true" },
	  125,
	  "either a program or -p" },
	{ { "-o", "/dev/full", "-ep:libc.so.6:malloc", "ls" },
	  125,
	  "/dev/full: No space left on device; the trace in it is not" },
	{ { "-o", "/does/not/exist", "-ep:libc.so.6:malloc", "true" },
	  125,
	  "another -o" },
};

START_TEST(explains_bad_usage)
{
	const struct bad_usage *b = &bad_usage[_i];
	struct words w;
	struct run r;
	int i;

	trace_words(&w, NULL, NULL);
	for (i = 0; i < 4 && b->word[i]; i++)
		add_word(&w, "%s", b->word[i]);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == b->code, "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, b->says) != NULL, "'%s'", r.err);
	run_free(&r);
}
END_TEST

static const struct status {
	const char *command;
	int code;
} statuses[] = {
	{ "exit 0", 0 },
	{ "exit 42", 42 },
	{ "kill -9 $$", 128 + SIGKILL },
	{ "kill -SEGV $$", 128 + SIGSEGV },
	{ "kill -TERM $$", 128 + SIGTERM },
	{ "exec sh -c 'exit 7'", 7 },
	{ "exec /does/not/exist", 127 },
	{ "/does/not/exist", 127 },
};

START_TEST(returns_the_status)
{
	struct words w;
	struct run r;

	trace_words(&w, "-c", "-e", "p:libc.so.6:malloc", "-e",
		    "r:libc.so.6:malloc", "--", "sh", "-c",
		    statuses[_i].command, NULL);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == statuses[_i].code, "%s: %d, %s",
		      statuses[_i].command, r.code, r.err);
	json_decref(summary());
	run_free(&r);
}
END_TEST

static int lines(const char *text, const char *with)
{
	int n = 0;

	for (text = strstr(text, with); text; text = strstr(text + 1, with))
		n++;
	return n;
}

START_TEST(writes_text)
{
	struct words w = { 0 };
	struct run r;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "-ep:%s:odd_long", target("odd"));
	add_word(&w, "-er:there %s:odd_long", target("odd"));
	add_word(&w, "%s", target("odd"));
	run(&r, &w, NULL);
	ck_assert_int_eq(r.code, 0);
	ck_assert_str_eq(r.out, "");
	ck_assert_int_eq(lines(r.err, "odd_long         (odd+0x"), 1);
	ck_assert_int_eq(lines(r.err, " jump\n"), 1);
	ck_assert_int_eq(lines(r.err, "there            <- 0x"), 1);
	ck_assert_int_eq(lines(r.err, "ret=0x1122334455667788\n"), 1);
	ck_assert_int_eq(lines(r.err, "2 hits (1 entry, 1 return), 0 missed\n"),
			 1);
	run_free(&r);
}
END_TEST

START_TEST(writes_json)
{
	static const char *const type[] = { "hit", "return", "summary" };
	struct words w;
	struct run r;
	json_t *o;
	FILE *f;
	int i;

	trace_words(&w, NULL, NULL);
	add_word(&w, "-ep:%s:odd_long", target("odd"));
	add_word(&w, "-er:%s:odd_long", target("odd"));
	add_word(&w, "%s", target("odd"));
	run(&r, &w, NULL);
	ck_assert_str_eq(r.err, "");
	f = fopen(temporary("json"), "r");
	ck_assert_ptr_nonnull(f);
	for (i = 0; i < 3; i++) {
		o = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL);
		ck_assert_ptr_nonnull(o);
		ck_assert_str_eq(json_string_value(json_object_get(o, "type")),
				 type[i]);
		if (i < 2) {
			ck_assert_str_eq(
				json_string_value(json_object_get(o, "probe")),
				"odd_long");
			ck_assert(json_is_integer(json_object_get(o, "tid")));
			ck_assert(
				json_is_string(json_object_get(o, "address")));
		}
		if (!i)
			ck_assert_str_eq(
				json_string_value(json_object_get(o, "how")),
				"jump");
		json_decref(o);
	}
	ck_assert_int_eq(fgetc(f), '\n');
	ck_assert_int_eq(fgetc(f), EOF);
	fclose(f);
	run_free(&r);
}
END_TEST

/* Nested 101 deep, of which 64 are followed; and left by longjmp. */
START_TEST(tells_what_was_missed)
{
	static const struct {
		const char *probe, *json, *text, *how;
		long missed, too_deep;
	} cases[] = {
		{ "probed_nested", "too_deep", "were nested too deep",
		  "jump        r:frames:probed_", 74, 74 },
		{ "probed_jumps", "left", "missed: 210 did not return",
		  "breakpoint  r:frames:probed_", 210, 0 },
		{ "probed_factorial", NULL, " 0 missed\n",
		  "jump        r:frames:probed_", 0, 0 },
	};
	struct words w, text = { 0 };
	json_t *sum, *p;
	struct run r;
	int i;

	trace_words(&w, "-c", NULL);
	add_word(&text, "%s", TRAPLINE);
	add_word(&text, "trace");
	add_word(&text, "-c");
	add_word(&w, "-er:%s:%s", target("frames"), cases[_i].probe);
	add_word(&text, "%s", w.word[w.n - 1]);
	add_word(&w, "%s", target("frames"));
	add_word(&text, "%s", target("frames"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%s", r.err);
	run_free(&r);
	sum = summary();
	p = json_array_get(json_object_get(sum, "probes"), 0);
	for (i = 0; i < 2; i++, p = sum) {
		json_t *why = json_object_get(p, "why_missed");

		ck_assert_int_eq(number_of(p, "missed"), cases[_i].missed);
		ck_assert_int_eq(!why, !cases[_i].missed);
		if (!why)
			continue;
		ck_assert_int_eq(number_of(why, cases[_i].json),
				 cases[_i].missed);
		ck_assert_int_eq(number_of(why, "too_deep"),
				 cases[_i].too_deep);
	}
	json_decref(sum);
	run(&r, &text, NULL);
	ck_assert_msg(strstr(r.err, cases[_i].text) != NULL, "%s", r.err);
	ck_assert_ptr_nonnull(strstr(r.err, cases[_i].how));
	run_free(&r);
}
END_TEST

/* No room for copies that jump back: told as it runs, and it runs. */
START_TEST(runs_where_nothing_can_be_mapped)
{
	struct words w = { 0 };
	struct run r;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "-ep:%s:probed_add", target("tight"));
	add_word(&w, "%s", target("tight"));
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	ck_assert_str_eq(r.out, "all added\n");
	ck_assert_int_eq(lines(r.err, " breakpoint\n"), 10);
	run_free(&r);
}
END_TEST

/* In the folder of the targets, $0 being trapline. */
static const struct in_shell {
	const char *line;
	int code;
	const char *says;
} in_shell[] = {
	{ "$0 trace -e p:odd:odd_long -- true", 125,
	  "there is ./odd here: write ./odd\n" },
	{ "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n 5; $0 trace -c "
	  "-e p:libc.so.6:malloc -- true",
	  125, "raise the limit, as with ulimit -n 1024\n" },
	{ "f=$(mktemp -d)/'my odd'; cp odd \"$f\"; cd \"${f%/*}\";"
	  "$0 trace -c -e 'p:./my\\ odd:odd_long' -- './my odd'; s=$?;"
	  "rm -r \"${f%/*}\"; exit $s",
	  0, "p:my odd:odd_long\n" },
};

START_TEST(in_a_folder)
{
	struct words w = { 0 };
	struct run r;

	add_word(&w, "sh");
	add_word(&w, "-c");
	add_word(&w, "cd %.*s; %s",
		 (int)(strrchr(target("odd"), '/') - target("odd")),
		 target("odd"), in_shell[_i].line);
	add_word(&w, "%s", TRAPLINE);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == in_shell[_i].code, "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, in_shell[_i].says) != NULL, "%s", r.err);
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("usage");
	TCase *tc = tcase_create("usage");

	tcase_set_timeout(tc, 70);
#define LOOP(fn, table) \
	tcase_add_loop_test(tc, fn, 0, sizeof(table) / sizeof(*(table)))
	LOOP(refuses_probe, refused);
	LOOP(explains_bad_usage, bad_usage);
	LOOP(in_a_folder, in_shell);
	LOOP(returns_the_status, statuses);
	tcase_add_loop_test(tc, refuses_a_pipe, 0, 3);
	tcase_add_loop_test(tc, accepts_neighbours, 0, 5);
	tcase_add_test(tc, writes_text);
	tcase_add_test(tc, runs_where_nothing_can_be_mapped);
	tcase_add_test(tc, writes_json);
	tcase_add_loop_test(tc, tells_what_was_missed, 0, 3);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

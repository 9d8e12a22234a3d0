// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_stack.c - trace -k: the stacks at hits, while return addresses in them are
 * ours, beside what the program's own unwinder finds or what must be there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* ---- hits of one probe, with their stacks ------------------------------------- */

struct stacks {
	json_t *hit[1024]; /* arrays of frames */
	unsigned int n;
};

static void read_stacks(struct stacks *s, const char *type, const char *probe)
{
	FILE *f = fopen(temporary("json"), "r");
	const char *t, *p;
	json_t *line;

	s->n = 0;
	ck_assert_ptr_nonnull(f);
	while ((line = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
		t = json_string_value(json_object_get(line, "type"));
		p = json_string_value(json_object_get(line, "probe"));
		if (!strcmp(t, type) && !strcmp(p, probe)) {
			ck_assert_uint_lt(s->n, 1024);
			s->hit[s->n++] =
				json_incref(json_object_get(line, "stack"));
		}
		json_decref(line);
	}
	fclose(f);
}

static void free_stacks(struct stacks *s)
{
	while (s->n)
		json_decref(s->hit[--s->n]);
}

static const char *member(json_t *frame, const char *key)
{
	const char *s = json_string_value(json_object_get(frame, key));

	return s ? s : "";
}

/*
 * " NAME+OFFSET NAME+OFFSET ..." of the frames in `file` from number `from` on,
 * but for parts moved out of functions: the dynamic linker has no name for them.
 */
static const char *chain(json_t *stack, const char *file, size_t from,
			 bool offsets)
{
	static char text[1 << 16];
	size_t i, n = 0;
	json_t *frame;
	char *slash;

	text[0] = '\0';
	json_array_foreach(stack, i, frame)
	{
		slash = strrchr(member(frame, "file"), '/');
		if (i < from || !slash || strcmp(slash + 1, file) ||
		    strstr(member(frame, "symbol"), ".cold"))
			continue;
		n += snprintf(text + n, sizeof(text) - n, " %s",
			      member(frame, "symbol"));
		if (offsets)
			n += snprintf(
				text + n, sizeof(text) - n, "+%ld",
				strtol(member(frame, "offset"), NULL, 16));
	}
	return text;
}

static void trace(struct run *r, const char *file, const char *name,
		  const char *input, const char *option)
{
	struct words w;

	trace_words(&w, option, NULL);
	probe_all(&w, target(file), true, true);
	if (!strcmp(file, "oddframes"))
		add_word(&w, "-ep:%s:restorer", target(file));
	add_word(&w, "%s", target(name));
	run(r, &w, input);
	words_free(&w);
	ck_assert_msg(r->code == 0, "%s: %d %s", name, r->code, r->err);
}

/* ---- beside the program's own --------------------------------------------------- */

/* Recursion, signal handlers, threads that end; without frame pointers, too. */
static const char *const programs[] = { "unwinds-O0", "unwinds-O1",
					"unwinds-O2" };

START_TEST(finds_what_the_program_finds)
{
	const char *name = programs[_i];
	struct stacks entry, ret;
	char *line, *own, *end;
	unsigned int i = 0;
	struct run r;

	trace(&r, name, name, NULL, "-k");
	read_stacks(&entry, "hit", "probed_backtrace");
	read_stacks(&ret, "return", "probed_backtrace");
	ck_assert_uint_eq(entry.n, 15);
	ck_assert_uint_eq(ret.n, 15);
	for (line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n")) {
		own = strstr(line, ": probed_backtrace+");
		if (!own)
			continue;
		/* Its own frame is at another place by then. */
		own = strchr(own + 2, ' ');
		end = strstr(own, " (");
		*end = '\0';
		ck_assert_uint_lt(i, entry.n);
		ck_assert_str_eq(chain(entry.hit[i], name, 1, true), own);
		ck_assert_str_eq(chain(ret.hit[i], name, 0, true), own);
		i++;
	}
	ck_assert_uint_eq(i, entry.n);
	free_stacks(&entry);
	free_stacks(&ret);
	run_free(&r);
}
END_TEST

/* ---- beside what must be there ------------------------------------------------------ */

static const struct stack_case {
	const char *file, *program, *type, *probe, *chain;
	unsigned int hit;
} cases[] = {
	/* One word on the stack for three returns; one has no unwind data. */
	{ "throws-O2", "throws-O2", "hit", "probed_tail1", " probed_tail1 main",
	  0 },
	{ "throws-O1", "throws-O1", "hit", "probed_last", " probed_last main",
	  0 },
	{ "frames", "frames", "hit", "probed_tail3", " probed_tail3 main", 0 },
	{ "frames", "frames", "return", "probed_tail1", " main", 0 },
	{ "frames", "frames", "return", "probed_tail3", " main", 0 },
	{ "frames", "frames", "hit", "probed_factorial",
	  " probed_factorial probed_factorial probed_factorial main", 2 },
	/* Read where a breakpoint is. */
	{ "oddframes", "oddframes", "hit", "probed_leaf",
	  " probed_leaf probed_handler restorer probed_raises main", 1 },
	{ "oddframes", "oddframes", "return", "probed_leaf",
	  " probed_handler restorer probed_raises main", 2 },
	{ "oddframes", "oddframes", "return", "probed_called", " first main",
	  0 },
	/* Loaded, unloaded and loaded again elsewhere; then in a thread. */
	{ "liblate.so", "late", "hit", "probed_late", " main", 0 },
	{ "liblate.so", "late", "hit", "probed_late", " main", 9 },
	{ "liblate.so", "late", "return", "probed_late", " again", 119 },
};

START_TEST(finds_what_is_there)
{
	const struct stack_case *c = &cases[_i];
	struct stacks s;
	struct run r;
	char *found, *start;

	trace(&r, c->file, c->program, NULL, "-k");
	read_stacks(&s, c->type, c->probe);
	ck_assert_uint_lt(c->hit, s.n);
	found = strdup(chain(s.hit[c->hit], c->program, 0, false));
	/* What starts main is of no interest; `all` may be inlined. */
	start = strstr(found, " _start");
	if (start)
		*start = '\0';
	start = strstr(found, " _ZL3allv");
	if (start)
		memmove(start, start + 9, strlen(start + 9) + 1);
	ck_assert_str_eq(found, c->chain);
	free(found);
	free_stacks(&s);
	run_free(&r);
}
END_TEST

/* What was known of the first library must not be believed of the second. */
START_TEST(sees_libraries_come_and_go)
{
	static const char *const lib[] = { "swapone", "swaptwo", "swapone",
					   "swaptwo" };
	struct stacks s;
	struct run r;
	char file[32];
	unsigned int i;

	trace(&r, "swap", "swap", NULL, "-k");
	read_stacks(&s, "hit", "probed_leaf");
	ck_assert_uint_eq(s.n, 4);
	for (i = 0; i < s.n; i++) {
		ck_assert_str_eq(member(json_array_get(s.hit[i], 1), "symbol"),
				 lib[i]);
		snprintf(file, sizeof(file), "lib%s.so", lib[i]);
		ck_assert_ptr_nonnull(strstr(
			member(json_array_get(s.hit[i], 1), "file"), file));
		ck_assert_str_eq(chain(s.hit[i], "swap", 0, false),
				 " probed_leaf call main _start");
	}
	free_stacks(&s);
	run_free(&r);
}
END_TEST

/* In the file of a static program, which is linked at 0x400000. */
static unsigned long offset_of(const char *name, const char *symbol)
{
	unsigned long addr;
	char command[4200];
	FILE *nm;

	snprintf(command, sizeof(command), "nm %s | grep ' T %s$'",
		 target(name), symbol);
	nm = popen(command, "r");
	ck_assert_ptr_nonnull(nm);
	ck_assert_int_eq(fscanf(nm, "%lx", &addr), 1);
	pclose(nm);
	return addr - 0x400000;
}

/* Without symbols: the same addresses, as a static program has no choice. */
START_TEST(needs_no_symbols)
{
	char copy[4200], command[9000];
	struct stacks with, without;
	struct words w;
	struct run r;
	unsigned int i;
	size_t k, n;

	trace(&r, "unwinds-static", "unwinds-static", NULL, "-k");
	read_stacks(&with, "hit", "probed_backtrace");
	run_free(&r);

	snprintf(copy, sizeof(copy), "%s", temporary("stripped"));
	snprintf(command, sizeof(command), "strip -o %s %s", copy,
		 target("unwinds-static"));
	ck_assert_int_eq(system(command), 0);
	trace_words(&w, "-k", NULL);
	add_word(&w, "-ep:bt %s:0x%lx", copy,
		 offset_of("unwinds-static", "probed_backtrace"));
	add_word(&w, "%s", copy);
	run(&r, &w, NULL);
	words_free(&w);
	ck_assert_msg(r.code == 0, "%d %s", r.code, r.err);
	read_stacks(&without, "hit", "bt");
	ck_assert_uint_eq(without.n, with.n);
	for (i = 0; i < with.n; i++) {
		n = json_array_size(with.hit[i]);
		ck_assert_uint_gt(n, 2);
		ck_assert_uint_eq(json_array_size(without.hit[i]), n);
		for (k = 0; k < n; k++)
			ck_assert_str_eq(
				member(json_array_get(with.hit[i], k),
				       "address"),
				member(json_array_get(without.hit[i], k),
				       "address"));
	}
	free_stacks(&with);
	free_stacks(&without);
	run_free(&r);
}
END_TEST

START_TEST(stops_at_the_depth_asked_for)
{
	struct stacks s;
	struct run r;

	trace(&r, "frames", "frames", NULL, "-k3");
	read_stacks(&s, "hit", "probed_factorial");
	ck_assert_uint_gt(s.n, 20);
	ck_assert_uint_eq(json_array_size(s.hit[0]), 3);
	ck_assert_uint_eq(json_array_size(s.hit[19]), 3);
	free_stacks(&s);
	run_free(&r);
}
END_TEST

START_TEST(is_written_as_text)
{
	struct words w = { 0 };
	struct run r;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "--stack=2");
	add_word(&w, "-ep:%s:probed_walk", target("steps"));
	add_word(&w, "%s", target("steps"));
	run(&r, &w, NULL);
	words_free(&w);
	ck_assert_int_eq(r.code, 0);
	ck_assert_msg(strstr(r.err, " probed_walk (steps)\n") != NULL, "%s",
		      r.err);
	ck_assert_ptr_nonnull(strstr(r.err, "#1  0x"));
	ck_assert_ptr_nonnull(strstr(r.err, " probed_deep+0x"));
	ck_assert_ptr_null(strstr(r.err, "#2 "));
	run_free(&r);
}
END_TEST

START_TEST(is_written_as_ftrace)
{
	struct words w = { 0 };
	struct run r;
	char *stack;

	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "--format=ftrace");
	add_word(&w, "-k2");
	add_word(&w, "-ep:%s:probed_walk", target("steps"));
	add_word(&w, "%s", target("steps"));
	run(&r, &w, NULL);
	words_free(&w);
	ck_assert_int_eq(r.code, 0);
	stack = strstr(r.err, ": <user stack trace>\n =>  <0000");
	ck_assert_msg(stack != NULL, "%s", r.err);
	ck_assert_ptr_nonnull(stack = strstr(stack, ">\n =>  <0000"));
	ck_assert_ptr_nonnull(stack = strstr(stack + 1, ">\n =>  <0000"));
	ck_assert_ptr_null(strstr(stack + 1, ">\n =>  <0000"));
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stack");
	TCase *tc = tcase_create("stacks");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, finds_what_the_program_finds, 0,
			    sizeof(programs) / sizeof(*programs));
	tcase_add_loop_test(tc, finds_what_is_there, 0,
			    sizeof(cases) / sizeof(*cases));
	tcase_add_test(tc, sees_libraries_come_and_go);
	tcase_add_test(tc, needs_no_symbols);
	tcase_add_test(tc, stops_at_the_depth_asked_for);
	tcase_add_test(tc, is_written_as_text);
	tcase_add_test(tc, is_written_as_ftrace);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

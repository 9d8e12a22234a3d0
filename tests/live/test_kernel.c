// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_kernel.c - as many hits as the running kernel's own uprobes count, and
 * the same values of the same fetch arguments, at the same places of the same
 * program. Skipped where there is no tracefs.
 *
 * Probes of the kernel are hit by everybody and take the breakpoint's trap before a
 * tracer sees it, so the program and its C library are copies: other suites run the
 * originals at the same time. Left out is what that kernel gets wrong (facts of Linux 6.18: VEX
 * instructions taken for branches, one hit per iteration of rep movs).
 */
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

#define TRACING "/sys/kernel/tracing"
#define EVENTS TRACING "/uprobe_events"
#define MAX_EVENTS 64

static pid_t suite; /* part of all names, for the clean-up */
static char group[64], instance[128];

/* An event file takes one command a write. */
static bool command(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_APPEND);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

static void set(const char *file, const char *value)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/%s", instance, file);
	ck_assert_msg(command(name, value), "%s cannot be written", name);
}

static void enable(const char *value)
{
	char name[128];

	snprintf(name, sizeof(name), "events/%s/enable", group);
	set(name, value);
}

/* In a trace buffer of its own, that loses nothing. args: what to fetch. */
static void kernel_add(json_t *sum, const char *args)
{
	json_t *p;
	size_t i;
	char line[8192];

	snprintf(group, sizeof(group), "trapline%d_%d", suite, getpid());
	snprintf(instance, sizeof(instance), TRACING "/instances/%s", group);
	ck_assert_int_eq(mkdir(instance, 0700), 0);
	set("buffer_size_kb", "32768");
	json_array_foreach(json_object_get(sum, "probes"), i, p)
	{
		snprintf(line, sizeof(line), "%c:%s/e%zu %s:%s %s\n",
			 json_object_get(p, "hits") ? 'p' : 'r', group, i,
			 json_string_value(json_object_get(p, "file")),
			 json_string_value(json_object_get(p, "offset")), args);
		ck_assert_msg(command(EVENTS, line), "refused: %s", line);
	}
	ck_assert_uint_le(i, MAX_EVENTS);
	enable("1");
}

/* Also after a test that failed half-way. */
static void kernel_clean(void)
{
	char prefix[64], line[8192], text[8300];
	bool again;
	FILE *f;
	glob_t g;
	size_t i;

	snprintf(text, sizeof(text), TRACING "/instances/trapline%d_*", suite);
	if (!glob(text, 0, NULL, &g)) {
		for (i = 0; i < g.gl_pathc; i++)
			rmdir(g.gl_pathv[i]);
		globfree(&g);
	}
	snprintf(prefix, sizeof(prefix), ":trapline%d_", suite);
	do { /* the list moves under a reader who deletes from it */
		again = false;
		f = fopen(EVENTS, "r");
		while (f && fgets(line, sizeof(line), f)) {
			if (strncmp(line + 1, prefix, strlen(prefix)))
				continue;
			line[strcspn(line, " ")] = '\0';
			snprintf(text, sizeof(text), "-%s\n", line + 1);
			again |= command(EVENTS, text);
		}
		if (f)
			fclose(f);
	} while (again);
}

static void kernel_read(unsigned long hits[MAX_EVENTS])
{
	char name[256], line[1024], *event;
	unsigned int i;
	FILE *f;

	snprintf(name, sizeof(name), "%s/trace", instance);
	f = fopen(name, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		ck_assert_msg(!strstr(line, "LOST"), "events were lost");
		event = strstr(line, ": e");
		if (event && sscanf(event, ": e%u: (", &i) == 1 &&
		    i < MAX_EVENTS)
			hits[i]++;
	}
	fclose(f);
}

static void kernel_compare(json_t *sum)
{
	unsigned long hits[MAX_EVENTS] = { 0 };
	json_t *p, *n;
	size_t i;

	kernel_read(hits);
	json_array_foreach(json_object_get(sum, "probes"), i, p)
	{
		n = json_object_get(p, "hits");
		n = n ? n : json_object_get(p, "returns");
		ck_assert_msg((unsigned long)json_integer_value(n) == hits[i],
			      "%s %s: we count %lld, the kernel %lu",
			      json_object_get(p, "hits") ? "entries of"
							 : "returns of",
			      json_string_value(json_object_get(p, "probe")),
			      json_integer_value(n), hits[i]);
	}
}

static void compare(const struct words *probes, const struct words *program)
{
	struct words w;
	struct run ours, kernels;
	unsigned int i;
	json_t *sum;

	trace_words(&w, "-c", NULL);
	for (i = 0; i < probes->n; i++)
		add_word(&w, "%s", probes->word[i]);
	for (i = 0; i < program->n; i++)
		add_word(&w, "%s", program->word[i]);
	run(&ours, &w, NULL);
	sum = summary();
	kernel_add(sum, "");
	run(&kernels, program, NULL);
	enable("0");
	kernel_compare(sum);
	ck_assert_int_eq(ours.code, kernels.code);
	ck_assert_str_eq(ours.out, kernels.out);
	ck_assert_int_gt(number_of(sum, "hits"), 100);
	json_decref(sum);
	run_free(&ours);
	run_free(&kernels);
}

static void private_libc(void)
{
	static const char *const libs[] = { "/lib/x86_64-linux-gnu/libc.so.6",
					    "/lib64/libc.so.6" };
	const char *dir = temporary("lib");
	char cp[8192];
	unsigned int i;

	for (i = 0; i < 2 && access(libs[i], R_OK);)
		i++;
	ck_assert_uint_lt(i, 2);
	snprintf(cp, sizeof(cp), "mkdir -p %s && cp %s %s/libc.so.6", dir,
		 libs[i], dir);
	ck_assert_int_eq(system(cp), 0);
	/* For trapline, too: it asks its own library which memcpy is used. */
	setenv("LD_LIBRARY_PATH", dir, 1);
}

/* A copy of the target, of this test alone. */
static const char *own(const char *name)
{
	static char path[512];
	char cp[8192];

	snprintf(path, sizeof(path), "%s", temporary(name));
	snprintf(cp, sizeof(cp), "cp %s %s", target(name), path);
	ck_assert_int_eq(system(cp), 0);
	return path;
}

static const char *const programs[] = { "ls",
					"-l",
					"/usr/bin",
					NULL,
					"sort",
					"-r",
					"/etc/services",
					NULL,
					"/usr/bin/python3",
					"-c",
					"print(sorted(range(1000, 0, -7)))",
					NULL,
					NULL };

START_TEST(agrees_on_libc)
{
	static const char *const fn[] = { "malloc",  "free",   "calloc",
					  "realloc", "strlen", "memcpy",
					  "getenv",  "qsort",  "fclose",
					  "read",    "write",  "mmap" };
	struct words probes = { 0 }, program = { 0 };
	const char *const *word = programs;
	unsigned int i;

	for (i = 0; i < (unsigned int)_i; i++)
		while (*word++)
			;
	if (access(*word, X_OK) && **word == '/')
		return; /* this program is not here */
	while (*word)
		add_word(&program, "%s", *word++);
	private_libc();
	for (i = 0; i < sizeof(fn) / sizeof(*fn); i++) {
		add_word(&probes, "-ep:libc.so.6:%s", fn[i]);
		add_word(&probes, "-er:libc.so.6:%s", fn[i]);
	}
	compare(&probes, &program);
}
END_TEST

START_TEST(agrees_on_frames)
{
	struct words probes = { 0 }, program = { 0 };

	add_word(&program, "%s", own("frames"));
	probe_all(&probes, program.word[0], true, true);
	compare(&probes, &program);
}
END_TEST

START_TEST(agrees_on_instructions)
{
	static const char *const kind[] = { "nop",	"push",	     "push_imm",
					    "sub",	"xor",	     "lea_rip",
					    "load_rip", "cmp_rip",   "call",
					    "call_mem", "jmp",	     "jmp_reg",
					    "jz",	"jrcxz",     "loop",
					    "ret",	"pshufb_rip" };
	struct words probes = { 0 }, program = { 0 };
	unsigned int i;

	add_word(&program, "%s", own("regs"));
	for (i = 0; i < sizeof(kind) / sizeof(*kind); i++) {
		add_word(&probes, "-ep:%s:probed_%s", program.word[0], kind[i]);
		add_word(&probes, "-er:%s:probed_%s", program.word[0], kind[i]);
	}
	compare(&probes, &program);
}
END_TEST

/*
 * The first argument marks where the values begin. Addresses differ from run to
 * run. Of numbers in memory that is not there the kernel shows what was in its
 * buffer before, so only strings are read from it.
 */
static const char *const fetched[] = {
	"p:%s:eight first=\\1:u8 a=%%di b=%%si c=%%si:s64 d=%%si:u64 e=%%si:s8 "
	"f=%%dx:u64 g=%%r8:x32 h=%%r8:u16 i=%%r9:char j=$stack1:s32 "
	"k=$stack2:s64 l=+16($stack):x16 $comm",
	"p:%s:eight first=\\1:u8 a=%%cs b=%%ss c=%%orig_ax d=\\-3:s16 "
	"e=\\200:s8 "
	"f=\\-1:x8 g=\\0x10:x64 h=\\010:u32 i=\\65:char j=\\-1:u64",
	"p:%s:strings first=\\1:u8 a=+0(%%di):s32 b=+0(%%di):x32 "
	"c=+4(%%di):u16 "
	"d=+6(%%di):char e=+0(+8(%%di)):string f=+0(+16(%%di)):s32 "
	"g=+4(+16(%%di)):s16 h=+4(+16(%%di)):x8 i=+0(+8(+16(%%di))):string",
	"p:%s:strings first=\\1:u8 a=+0(%%si):string b=-3(%%dx):string "
	"c=+0(%%dx):string d=+0(+0(%%dx)):string e=+0(+16(+16(%%di))):string "
	"f=-3(%%dx):char",
	"r:%s:strings first=\\1:u8 +0($retval):string c=+6(%%ax):string "
	"d=+0($retval):x64",
	"r:%s:eight first=\\1:u8 $retval b=$retval:s16 c=$retval:u64 d=%%ax:u8",
	"r:%s:minus first=\\1:u8 a=$retval:s32 b=$retval:x8 c=$retval:u32",
};

/* From the first argument to the end of its line. */
static char *values_of(char *text)
{
	char *from = strstr(text, " first=1 ");

	ck_assert_msg(from != NULL, "no values in: %s", text);
	from[strcspn(from, "\n")] = '\0';
	return from;
}

START_TEST(agrees_on_values)
{
	struct words program = { 0 }, w;
	char spec[8192], name[256], kernels[4096];
	struct run r;
	json_t *sum;
	size_t n;
	FILE *f;

	add_word(&program, "%s", own("args"));
	snprintf(spec, sizeof(spec), fetched[_i], program.word[0]);
	trace_words(&w, "-c", "-e", spec, program.word[0], NULL);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%s", r.err);
	run_free(&r);
	sum = summary();
	kernel_add(sum, strchr(spec, ' ') + 1);
	run(&r, &program, NULL);
	ck_assert_int_eq(r.code, 0);
	run_free(&r);
	enable("0");
	snprintf(name, sizeof(name), "%s/trace", instance);
	f = fopen(name, "r");
	ck_assert_ptr_nonnull(f);
	n = fread(kernels, 1, sizeof(kernels) - 1, f);
	fclose(f);
	kernels[n] = '\0';
	w.n = 0;
	add_word(&w, "%s", TRAPLINE);
	add_word(&w, "trace");
	add_word(&w, "-e");
	add_word(&w, "%s", spec);
	add_word(&w, "%s", program.word[0]);
	run(&r, &w, NULL);
	ck_assert_str_eq(values_of(r.err), values_of(kernels));
	json_decref(sum);
	run_free(&r);
}
END_TEST

/* Cut a line of a trace file down to what does not depend on place and time. */
static char *timeless(const char *text)
{
	char *out = calloc(1, strlen(text) + 1), *to = out;
	const char *line, *next, *from;
	char name[64], flags[16];
	int pid, cpu, at;
	double time;

	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (*line == '#')
			continue;
		/* 16 columns, then "-PID", the CPU, flags, the time. */
		from = line + strcspn(line, "-");
		ck_assert_msg(from - line >= 16 &&
				      sscanf(line,
					     " %63[^-]-%d [%d] %15s %lf: "
					     "%n",
					     name, &pid, &cpu, flags, &time,
					     &at) == 5,
			      "a strange line: %.*s", (int)(next - line), line);
		ck_assert_int_eq(strlen(flags), 5);
		to += sprintf(to, "%16s: %.*s", name, (int)(next - line) - at,
			      line + at);
	}
	return out;
}

static char *whole(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = calloc(1, 1 << 20);

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_lt(fread(text, 1, 1 << 20, f), 1 << 20);
	fclose(f);
	return text;
}

static const char line_args[] = "a=%di b=+0(%di):string c=$comm d=%ax:s32";

/* Written into the file "json". */
static void trace_lines(const struct words *program, const char *options)
{
	struct words w;
	struct run r;
	unsigned int i;
	const char *path = program->word[program->n - 1];

	trace_words(&w, options, NULL);
	add_word(&w, "-ep:e0 %s:probed_factorial %s", path, line_args);
	add_word(&w, "-er:e1 %s:probed_factorial %s", path, line_args);
	add_word(&w, "-ep:e2 %s:probed_raises %s", path, line_args);
	for (i = 0; i < program->n; i++)
		add_word(&w, "%s", program->word[i]);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 0, "%s", r.err);
	run_free(&r);
}

/* Line by line, of a program without random addresses. */
START_TEST(agrees_on_lines)
{
	struct words program = { 0 };
	char name[256], *ours, *kernels;
	json_t *sum;
	struct run r;
	size_t i;

	add_word(&program, "setarch");
	add_word(&program, "-R");
	add_word(&program, "%s", own("frames"));
	trace_lines(&program, "--format=ftrace");
	ours = timeless(whole(temporary("json")));
	trace_lines(&program, "-c");
	sum = summary();
	kernel_add(sum, line_args);
	run(&r, &program, NULL);
	ck_assert_int_eq(r.code, 0);
	run_free(&r);
	enable("0");
	snprintf(name, sizeof(name), "%s/trace", instance);
	kernels = timeless(whole(name));
	ck_assert_int_gt(strlen(ours), 10000);
	for (i = 0; ours[i] && ours[i] == kernels[i];)
		i++;
	ck_assert_msg(ours[i] == kernels[i],
		      "byte %zu: we '%.120s', the kernel '%.120s'", i, ours + i,
		      kernels + i);
	json_decref(sum);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("kernel");
	TCase *tc = tcase_create("the same");
	int failed;

	if (access(EVENTS, W_OK) || access(TRACING "/instances", W_OK)) {
		puts("skip: no tracefs with uprobe_events here");
		return 77;
	}
	suite = getpid();
	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, agrees_on_libc, 0, 3);
	tcase_add_test(tc, agrees_on_frames);
	tcase_add_test(tc, agrees_on_instructions);
	tcase_add_test(tc, agrees_on_lines);
	tcase_add_loop_test(tc, agrees_on_values, 0,
			    sizeof(fetched) / sizeof(*fetched));
	suite_add_tcase(s, tc);
	failed = run_suite(s);
	kernel_clean();
	return failed;
}

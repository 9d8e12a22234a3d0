// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rules.c - every rule against return probes is needed: what it refuses
 * breaks the program if forced, and works with a probe at its entry.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "return_rules.h"
#include "run.h"

static const struct rule {
	const char *name, *says;
	const char *program, *mode; /* that uses it */
	const char *place;	    /* NULL: a function of libc */
} rules[] = {
	{ "setjmp", "returns twice", "rules", "setjmp", NULL },
	{ "_setjmp", "returns twice", "rules", "_setjmp", NULL },
	{ "__sigsetjmp", "returns twice", "rules", "__sigsetjmp", NULL },
	{ "vfork", "returns twice", "rules", "vfork", NULL },
	{ "getcontext", "returns twice", "rules", "getcontext", NULL },
	{ "swapcontext", "returns twice", "rules", "swapcontext", NULL },
	{ "dlopen", "acts by who calls it", "rules", "dlopen", NULL },
	{ "dlmopen", "acts by who calls it", "rules", "dlmopen", NULL },
	{ "dlsym", "acts by who calls it", "rules", "dlsym", NULL },
	{ "dlvsym", "acts by who calls it", "rules", "dlvsym", NULL },
	{ "dl_iterate_phdr", "acts by who calls it", "rules", "dl_iterate_phdr",
	  NULL },
	{ "mcount", "acts by who calls it", "mcount", NULL, NULL },
	{ "__fentry__", "acts by who calls it", "fentry", NULL, NULL },
	/* told by a debug package only */
	{ "__start_context", "returned into", "rules", "__start_context",
	  NULL },
	/* no names */
	{ "", "the program begins here", "rules", "_start",
	  "nm %s | grep ' "
	  "_start$'" },
	{ "", "jumped to, not called", "rules", "plt",
	  "readelf -WS %s | sed -n 's/.* [.]plt *PROGBITS *//p'" },
};

/* Run with options and one probe; its status. Counters go to "gmon.PID". */
static int status(const struct rule *x, const char *option, const char *kind,
		  char **err)
{
	const char *path = target(x->program);
	char command[1024];
	struct words w = { 0 };
	unsigned long at;
	struct run r;
	FILE *f;

	setenv("GMON_OUT_PREFIX", temporary("gmon"), 1);
	if (kind) {
		trace_words(&w, "-c", option, NULL);
		add_word(&w, "-e");
	}
	if (kind && x->place) {
		snprintf(command, sizeof(command), x->place, path);
		f = popen(command, "r");
		ck_assert(f && fscanf(f, "%lx", &at) == 1 && !pclose(f));
		add_word(&w, "%s:%s:0x%lx", kind, path, at);
	} else if (kind) {
		add_word(&w, "%s:libc.so.6:%s", kind, x->name);
	}
	add_word(&w, "%s", path);
	if (x->mode)
		add_word(&w, "%s", x->mode);
	run(&r, &w, NULL);
	words_free(&w);
	free(r.out);
	*err = r.err;
	return r.code;
}

/*
 * The counters that the last run left, removed; "" if none. As text, so that
 * they compare: behind the histogram, which is about time, come the records
 * (1, caller, callee, times).
 */
static const char *counters(char text[4096])
{
	unsigned long pc[2];
	char pattern[512];
	unsigned int n;
	glob_t g;
	FILE *f;

	text[0] = '\0';
	snprintf(pattern, sizeof(pattern), "%s.*", temporary("gmon"));
	if (glob(pattern, 0, NULL, &g))
		return text;
	ck_assert_uint_eq(g.gl_pathc, 1);
	f = fopen(g.gl_pathv[0], "r");
	ck_assert_ptr_nonnull(f);
	ck_assert(!fseek(f, 20 + 1 + 16, SEEK_SET) && fread(&n, 4, 1, f) == 1 &&
		  !fseek(f, 20 + 1 + 40 + 2 * n, SEEK_SET));
	while (fgetc(f) == 1 && fread(pc, 16, 1, f) == 1 &&
	       fread(&n, 4, 1, f) == 1 && strlen(text) < 4000)
		sprintf(text + strlen(text), "%lx %lx %u\n", pc[0], pc[1], n);
	fclose(f);
	ck_assert_int_eq(unlink(g.gl_pathv[0]), 0);
	globfree(&g);
	return text;
}

START_TEST(is_needed)
{
	const struct rule *x = &rules[_i];
	char counted[4096], now[4096];
	json_t *sum;
	char *err;
	int code;

	ck_assert_msg(status(x, NULL, NULL, &err) == 0, "alone: %s", err);
	counters(counted);
	ck_assert_int_eq(!strstr(counted, " 100\n"), x->mode != NULL);

	code = status(x, NULL, "p", &err);
	if (code == 125 && strstr(err, "has no symbol")) {
		printf("%s: not shown, libc6-dbg is not installed\n", x->name);
		return;
	}
	ck_assert_msg(code == 0, "entry: %s", err);
	ck_assert_str_eq(counters(now), counted);
	sum = summary();
	ck_assert_int_gt(number_of(sum, "hits"), 0);
	json_decref(sum);

	ck_assert_int_eq(status(x, NULL, "r", &err), 125);
	ck_assert_msg(strstr(err, x->says) != NULL, "'%s'", err);

	code = status(x, "--force", "r", &err);
	ck_assert_ptr_nonnull(strstr(err, "(forced)"));
	ck_assert_msg(code != 125, "%s", err);
	if (x->mode)
		ck_assert_msg(code != 0, "%s does not break", x->mode);
	else
		ck_assert_str_ne(counters(now), counted);
}
END_TEST

/* No rule without a case above, and no case without a rule. */
START_TEST(are_these)
{
	const struct return_rule *rule;
	unsigned int nr, i, j, named = 0;

	rule = return_rules(&nr);
	for (i = 0; i < nr; i++) {
		for (j = 0; j < sizeof(rules) / sizeof(*rules); j++)
			if (!strcmp(rules[j].name, rule[i].name))
				break;
		ck_assert_msg(j < sizeof(rules) / sizeof(*rules),
			      "no case for %s", rule[i].name);
	}
	for (j = 0; j < sizeof(rules) / sizeof(*rules); j++)
		named += *rules[j].name != '\0';
	ck_assert_uint_eq(named, nr);
	ck_assert_uint_le(nr, 40);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rules");
	TCase *tc = tcase_create("return");

	tcase_set_timeout(tc, 100);
	tcase_add_loop_test(tc, is_needed, 0, sizeof(rules) / sizeof(*rules));
	tcase_add_test(tc, are_these);
	suite_add_tcase(s, tc);
	return run_suite(s);
}

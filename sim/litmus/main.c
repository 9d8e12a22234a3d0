// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the program that `trapline explore FILE.litmus` runs.
 *
 * It plays the part that a compiled scenario plays for a C file: it has the
 * engine, and interprets the test instead of being made from it.
 */
#include "herd.h"

#include "budget.h"
#include "report.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum exit_code {
	EXIT_OBSERVED, /* whatever was observed */
	EXIT_VIOLATED, /* a deadlock, or a lock or a section misused */
	EXIT_USAGE,
	EXIT_UNDECIDED,
	EXIT_INTERNAL
};

struct options {
	const char *path;
	struct explore_options search;
	bool json;
};

enum option_key { OPT_MEMORY = 256, OPT_BUDGET, OPT_FORMAT };

static const struct argp_option option_table[] = {
	{ "memory", OPT_MEMORY, "sc|tso|lkmm", 0, "memory model (sc)", 0 },
	{ "budget", OPT_BUDGET, "60s|1e6", 0, "stop after time or executions",
	  0 },
	{ "format", OPT_FORMAT, "text|json", 0, "what to print (text)", 0 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case OPT_MEMORY:
		if (!report_find_memory(arg, &o->search.memory))
			argp_error(state,
				   "--memory %s: expected sc, tso or lkmm",
				   arg);
		return 0;
	case OPT_BUDGET:
		if (!budget_parse(arg, &o->search))
			argp_error(state,
				   "--budget %s: expected a time like "
				   "60s or a number of executions like 1e6",
				   arg);
		return 0;
	case OPT_FORMAT:
		if (strcmp(arg, "text") && strcmp(arg, "json"))
			argp_error(state, "--format %s: expected text or json",
				   arg);
		o->json = !strcmp(arg, "json");
		return 0;
	case ARGP_KEY_ARG:
		if (o->path)
			argp_error(state, "expected one litmus test");
		o->path = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected a litmus test");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Up to one byte more than a test may have, so that more is noticed. */
static char *read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	char *text = malloc(LITMUS_MAX + 1);

	if (!text)
		abort();
	*len = f ? fread(text, 1, LITMUS_MAX + 1, f) : 0;
	if (!f || ferror(f)) {
		fprintf(stderr, "trapline: cannot read %s: %s\n", path,
			strerror(errno));
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

/* The line, a mark under the place, and what is wrong with it. */
static void show_error(const char *path, const char *text, size_t len,
		       const struct litmus_error *e)
{
	size_t from = e->at - (e->column - 1), to = e->at;

	while (to < len && text[to] != '\n')
		to++;
	fprintf(stderr, "trapline: %s:%u:%u: %s\n", path, e->line, e->column,
		e->what);
	if (to - from > 200)
		return;
	for (size_t i = from; i < to; i++)
		fputc(text[i] >= ' ' || text[i] == '\t' ? text[i] : '?',
		      stderr);
	fputc('\n', stderr);
	for (size_t i = from; i < e->at; i++)
		fputc(text[i] == '\t' ? '\t' : ' ', stderr);
	fputs("^\n", stderr);
}

static int explore(const struct options *o, const struct litmus *t)
{
	struct outcomes outcomes = { 0 };
	struct explore_result r;
	struct herd how = { .t = t,
			    .path = o->path,
			    .memory = o->search.memory,
			    .result = &r,
			    .outcomes = &outcomes };
	int ret = run_litmus(t, o->path, &o->search, &r, &outcomes);

	if (ret) {
		fprintf(stderr, "trapline: the test cannot be set up: %s\n",
			strerror(-ret));
		return EXIT_INTERNAL;
	}
	if (o->json)
		herd_json(stdout, &how);
	else
		herd_text(stdout, &how);
	if (r.verdict == EXPLORE_REFUSED)
		return EXIT_USAGE;
	if (r.verdict == EXPLORE_VIOLATED || outcomes.deadlocks)
		return EXIT_VIOLATED;
	return r.verdict == EXPLORE_UNDECIDED ? EXIT_UNDECIDED : EXIT_OBSERVED;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "FILE.litmus",
		.doc = "A litmus test: explores its interleavings.",
	};
	struct options o = { 0 };
	struct litmus_error error;
	struct litmus *t;
	size_t len;
	char *text;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	text = read_file(o.path, &len);
	if (!text)
		return EXIT_USAGE;
	t = litmus_parse(text, len, &error);
	if (!t) {
		show_error(o.path, text, len, &error);
		return EXIT_USAGE;
	}
	return explore(&o, t);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the program that `trapline explore FILE.litmus` runs.
 *
 * It plays the part that a compiled scenario plays for a C file: it has the
 * engine, and interprets the test instead of being made from it.
 */
#include "herd.h"

#include "options.h"
#include "streams.h"
#include "text.h"

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

struct program {
	struct options options;
	const char *path;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct program *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->options;
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
	char *text = f ? text_read(f, LITMUS_MAX + 1, len) : NULL;

	if (!text)
		fprintf(stderr, "trapline: cannot read %s: %s\n", path,
			strerror(errno));
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

/* Whoever reads JSON gets an object. */
static int refused(const struct program *o, const char *why)
{
	if (o->options.json)
		herd_json_refused(stdout, o->path, o->options.search.memory,
				  why);
	return EXIT_USAGE;
}

static int explore(const struct program *o, const struct litmus *t)
{
	struct outcomes outcomes = { 0 };
	struct explore_result r;
	struct herd how = { .t = t,
			    .path = o->path,
			    .memory = o->options.search.memory,
			    .deps = o->options.search.deps,
			    .result = &r,
			    .outcomes = &outcomes };
	int ret = run_litmus(t, o->path, &o->options.search, &r, &outcomes);

	if (ret) {
		fprintf(stderr, "trapline: the test cannot be set up: %s\n",
			strerror(-ret));
		return EXIT_INTERNAL;
	}
	if (o->options.json)
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
	static const struct argp_child children[] = {
		{ &options_of_all, 0, NULL, 0 }, { 0 }
	};
	static const struct argp argp = {
		.parser = parse_option,
		.args_doc = "FILE.litmus",
		.doc = "A litmus test: explores its interleavings.",
		.children = children,
	};
	struct program o = { 0 };
	struct litmus_error error;
	struct litmus *t;
	const char *wrong;
	size_t len;
	char *text;

	streams_check();
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (o.options.changelog) {
		fprintf(stderr,
			"trapline: a litmus test has no one run to show "
			"as a changelog: use text or json\n");
		return EXIT_USAGE;
	}
	wrong = options_contradict(&o.options);
	if (wrong) {
		fprintf(stderr, "trapline: %s\n", wrong);
		return EXIT_USAGE;
	}
	text = read_file(o.path, &len);
	if (!text)
		return refused(&o, "it cannot be read");
	t = litmus_parse(text, len, &error);
	if (!t) {
		show_error(o.path, text, len, &error);
		return refused(&o, error.what);
	}
	return explore(&o, t);
}

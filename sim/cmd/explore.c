// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore.c - trapline explore: compile a scenario, run every interleaving.
 *
 * The search itself is in the scenario's program; its options are passed on.
 */
#include "build.h"
#include "cmd.h"
#include "litmus_file.h"
#include "locate.h"
#include "options.h"
#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct explore {
	struct build build;
	struct args pass; /* options of the scenario's program */
	const char *variant;
	bool merges; /* further arguments are records, up to `--` */
};

enum { OPT_UNFIX = 256, OPT_VARIANT };

static const struct argp_option option_table[] = {
	{ NULL, 'D', "NAME[=V]", 0, "define a macro; may be repeated", 0 },
	{ NULL, 'I', "DIR", 0, "look for headers there, too; may be repeated",
	  0 },
	{ "unfix", OPT_UNFIX, "PATCH", 0,
	  "put a bug into the model: a patch of one of its files", 0 },
	{ "variant", OPT_VARIANT, "NAME", 0,
	  "the probe logic of a release, 6.13 to 6.18 (the default) or 7.2, or "
	  "of designs, as in signals=siglock,storage=pool",
	  0 },
	OPTIONS(OPTION_ROW){ NULL, 'j', "N", 0, "the same as --jobs=N", 0 },
	{ NULL, 'q', NULL, 0, "the same as --progress=none", 0 },
	{ 0 }
};

static const char doc[] =
	"Run every interleaving of a concurrent C program.\v"
	"  trapline explore traces/races/slot-wakeup/scenario.c\n"
	"  trapline explore counter.c -DN=3 --budget 60s\n"
	"  trapline explore SB.litmus --memory tso\n\n"
	"Exit status: 0 it holds, 1 it is violated, 2 usage, or the scenario "
	"does not compile, 3 undecided, 4 internal error.";

/* An option of the search: as it is, to who understands it. */
static error_t pass_option(struct explore *x, int key, const char *arg)
{
	for (size_t i = 0; option_table[i].name || option_table[i].key; i++) {
		if (option_table[i].key != key || key <= OPTION_FIRST)
			continue;
		if (arg)
			args_add(&x->pass, "--%s=%s", option_table[i].name,
				 arg);
		else
			args_add(&x->pass, "--%s", option_table[i].name);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct explore *x = state->input;

	switch (key) {
	case 'D':
		return -sched_list_add(&x->build.define, arg);
	case 'I':
		return -sched_list_add(&x->build.include, arg);
	case 'j':
		return pass_option(x, OPTION_jobs, arg);
	case 'q':
		return pass_option(x, OPTION_progress, "none");
	case OPT_UNFIX:
		x->build.unfix = arg;
		return 0;
	case OPT_VARIANT:
		x->variant = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (!x->build.scenario)
			x->build.scenario = arg;
		else if (x->merges &&
			 (!state->quoted || state->next <= state->quoted))
			args_add(&x->pass, "--merge=%s", arg);
		else
			return -sched_list_add(&x->build.source, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state,
			   "expected a scenario, a C file, or a litmus test");
		return EINVAL;
	case OPTION_merge:
		x->merges = true;
		return pass_option(x, key, arg);
	default:
		return pass_option(x, key, arg);
	}
}

static void pass_path(struct explore *x, const char *option, const char *path)
{
	char *name = locate_name(path);

	args_add(&x->pass, "--%s=%s", option, name ? name : path);
	free(name);
}

/* What the header of a schedule says. */
static void pass_header(struct explore *x)
{
	const struct build *b = &x->build;
	char *title = locate_title(b->scenario);

	args_add(&x->pass, "--name=%s", title);
	free(title);
	pass_path(x, "scenario", b->scenario);
	for (size_t i = 0; i < b->source.nr; i++)
		pass_path(x, "source", b->source.item[i]);
	for (size_t i = 0; i < b->include.nr; i++)
		pass_path(x, "include", b->include.item[i]);
	for (size_t i = 0; i < b->define.nr; i++)
		args_add(&x->pass, "--define=%s", b->define.item[i]);
	if (b->unfix)
		pass_path(x, "unfix", b->unfix);
	if (x->variant)
		args_add(&x->pass, "--variant=%s", x->variant);
}

/* The value of an option that is passed on, or what it is without. */
static const char *passed(const struct explore *x, const char *option,
			  const char *otherwise)
{
	size_t n = strlen(option);

	for (size_t i = 0; i < x->pass.n; i++)
		if (!strncmp(x->pass.v[i], option, n))
			otherwise = x->pass.v[i] + n;
	return otherwise;
}

static void member(const char *name, const char *text)
{
	printf(",\"%s\":\"", name);
	for (; *text; text++) {
		if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned char)*text);
		else
			printf(strchr("\"\\", *text) ? "\\%c" : "%c", *text);
	}
	putchar('"');
}

/* There is no program that could say so: whoever reads JSON gets an object. */
static int refused(const struct explore *x, int status)
{
	char *title;

	if (status != CMD_USAGE || strcmp(passed(x, "--format=", ""), "json"))
		return status;
	title = locate_title(x->build.scenario);
	printf("{\"schema\":\"trapline/1\"");
	member("name", title);
	member("verdict", "undecided");
	member("finding", "unsupported");
	member("message", err_last());
	printf(",\"executions\":0,\"blocked\":0,\"threads\":0");
	member("memory", passed(x, "--memory=", "sc"));
	printf(",\"races\":0,\"seconds\":0.000}\n");
	free(title);
	return status;
}

int cmd_explore(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "FILE.c [-- MORE.c...]\nFILE.litmus",
		.doc = doc,
	};
	struct explore x = { 0 };
	char *program;
	int status;

	args_add(&x.pass, "%s", argv[0]);
	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &x);
	if (litmus_is_one(x.build.scenario) && x.variant) {
		err("%s is a litmus test, which has no probe logic; leave "
		    "--variant out",
		    x.build.scenario);
		return CMD_USAGE;
	}
	if (litmus_is_one(x.build.scenario))
		return litmus_explore(&x.build, &x.pass);
	program = build_scenario(&x.build, &status);
	if (!program)
		return refused(&x, status);
	pass_header(&x);
	execv(program, x.pass.v);
	err("cannot run %s: %s", program, strerror(errno));
	return CMD_BUG;
}

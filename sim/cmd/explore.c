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
#include "process.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct explore {
	struct build build;
	struct args pass; /* options of the scenario's program */
};

enum option_key {
	OPT_MEMORY = 256,
	OPT_BUDGET,
	OPT_UNFIX,
	OPT_SCHEDULE_OUT,
	OPT_FORMAT,
	OPT_RACES,
	OPT_COVER,
};

static const struct argp_option option_table[] = {
	{ NULL, 'D', "NAME[=V]", 0, "define a macro; may be repeated", 0 },
	{ "memory", OPT_MEMORY, "sc|tso|lkmm", 0, "memory model (sc)", 0 },
	{ "budget", OPT_BUDGET, "60s|1e6", 0,
	  "stop after a time (s, m, h) or a number of executions", 0 },
	{ "unfix", OPT_UNFIX, "PATCH", 0,
	  "put a bug into the model: a patch of one of its files", 0 },
	{ "schedule-out", OPT_SCHEDULE_OUT, "FILE", 0,
	  "where the schedule of a violation goes (NAME.fail.sched)", 0 },
	{ "races", OPT_RACES, "report|fail|off", 0,
	  "data races: report them, let them fail, or ignore them (report)",
	  0 },
	{ "cover", OPT_COVER, NULL, 0,
	  "list the functions that were reached, and those that were not", 0 },
	{ "format", OPT_FORMAT, "text|json", 0, "what to print (text)", 0 },
	{ 0 }
};

static const char doc[] =
	"Run every interleaving of a concurrent C program.\v"
	"  trapline explore traces/races/slot-wakeup/scenario.c\n"
	"  trapline explore counter.c -DN=3 --budget 60s\n"
	"  trapline explore SB.litmus --memory tso\n\n"
	"Exit status: 0 it holds, 1 it is violated, 2 usage, or the scenario "
	"does not compile, 3 undecided, 4 internal error.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct explore *x = state->input;

	switch (key) {
	case 'D':
		return -sched_list_add(&x->build.define, arg);
	case OPT_MEMORY:
		args_add(&x->pass, "--memory=%s", arg);
		return 0;
	case OPT_BUDGET:
		args_add(&x->pass, "--budget=%s", arg);
		return 0;
	case OPT_UNFIX:
		x->build.unfix = arg;
		return 0;
	case OPT_SCHEDULE_OUT:
		args_add(&x->pass, "--schedule-out=%s", arg);
		return 0;
	case OPT_RACES:
		args_add(&x->pass, "--races=%s", arg);
		return 0;
	case OPT_COVER:
		args_add(&x->pass, "--cover");
		return 0;
	case OPT_FORMAT:
		args_add(&x->pass, "--format=%s", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (x->build.scenario)
			return -sched_list_add(&x->build.source, arg);
		x->build.scenario = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state,
			   "expected a scenario, a C file, or a litmus test");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
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
	for (size_t i = 0; i < b->define.nr; i++)
		args_add(&x->pass, "--define=%s", b->define.item[i]);
	if (b->unfix)
		pass_path(x, "unfix", b->unfix);
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
	if (litmus_is_one(x.build.scenario))
		return litmus_explore(&x.build, &x.pass);
	program = build_scenario(&x.build, &status);
	if (!program)
		return status;
	pass_header(&x);
	execv(program, x.pass.v);
	err("cannot run %s: %s", program, strerror(errno));
	return CMD_BUG;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay.c - trapline replay and shrink: compile a schedule's scenario, follow it.
 */
#include "build.h"
#include "cmd.h"
#include "locate.h"
#include "process.h"
#include "text.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct replay {
	const char *schedule;
	char *out; /* where another schedule goes, or NULL */
	bool shrinks, goes_on, strict;
	const char *of_going_on; /* an option that --continue explains */
	struct args pass;	 /* options of the scenario's program */
};

enum option_key { OPT_FORMAT = 256, OPT_STRICT, OPT_CONTINUE, OPT_BUDGET };

static const struct argp_option option_table[] = {
	{ "continue", OPT_CONTINUE, "P", 0,
	  "go on after the last line in every way that has at most P "
	  "preemptions (sc)",
	  0 },
	{ "budget", OPT_BUDGET, "60s|1e6", 0,
	  "with --continue: stop after a time or a number of executions", 0 },
	{ "output", 'o', "FILE", 0,
	  "with --continue: where the schedule of a violation goes "
	  "(FILE.next.sched, beside the one given)",
	  0 },
	{ "strict", OPT_STRICT, NULL, 0,
	  "only the very run that the schedule was written of: stop at the "
	  "first operation that is another",
	  0 },
	{ "format", OPT_FORMAT, "text|json|changelog", 0,
	  "what to print (text)", 0 },
	{ 0 }
};

static const struct argp_option shrink_options[] = {
	{ "output", 'o', "FILE", 0,
	  "where the schedule goes (FILE.min.sched, beside the one given)", 0 },
	{ "format", OPT_FORMAT, "text|json|changelog", 0,
	  "what to print (text)", 0 },
	{ 0 }
};

static const char doc[] =
	"Run a scenario once, as a schedule says.\v"
	"  trapline replay slot-wakeup.fail.sched\n\n"
	"Exit status: 0 the run ended as the schedule expects, 1 it did not, "
	"2 usage, or the schedule or its scenario is wrong, 4 internal error.";

static const char shrink_doc[] =
	"Make a schedule that fails as small as can be: it fails the same way, "
	"and "
	"would not without any one of its lines or preemptions.\v"
	"  trapline shrink by-hand.sched\n\n"
	"Exit status: 0 it is written, 1 the schedule does not fail or cannot "
	"be "
	"followed, 2 usage, or the schedule or its scenario is wrong, 4 "
	"internal "
	"error.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct replay *r = state->input;

	switch (key) {
	case OPT_FORMAT:
		args_add(&r->pass, "--format=%s", arg);
		return 0;
	case OPT_STRICT:
		r->strict = true;
		args_add(&r->pass, "--strict");
		return 0;
	case OPT_CONTINUE:
		r->goes_on = true;
		args_add(&r->pass, "--continue");
		args_add(&r->pass, "--bound=%s", arg);
		return 0;
	case OPT_BUDGET:
		r->of_going_on = "--budget";
		args_add(&r->pass, "--budget=%s", arg);
		return 0;
	case 'o':
		r->of_going_on = "-o";
		r->out = strdup(arg);
		return r->out ? 0 : ENOMEM;
	case ARGP_KEY_ARG:
		if (r->schedule)
			argp_error(state, "one schedule at a time");
		r->schedule = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected a schedule, a .sched file");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* NAME.sched gives NAME.WHAT.sched. */
static char *beside(const char *schedule, const char *what)
{
	static const char end[] = ".sched";
	size_t n = strlen(schedule);
	char *name;

	if (n > strlen(end) && !strcmp(schedule + n - strlen(end), end))
		n -= strlen(end);
	name = text_print("%.*s.%s.sched", (int)n, schedule, what);
	return name;
}

/* Replace the name of a file by its place; false after one message. */
static bool find(char **name, const char *schedule)
{
	char *path = locate_find(*name, schedule);

	if (!path) {
		err("%s names %s, which is neither beside it, nor here, nor in "
		    "Trapline's source",
		    schedule, *name);
		return false;
	}
	free(*name);
	*name = path;
	return true;
}

static bool find_all(struct sched *s, const char *schedule)
{
	if (!find(&s->scenario, schedule))
		return false;
	for (size_t i = 0; i < s->source.nr; i++) {
		if (!find(&s->source.item[i], schedule))
			return false;
	}
	for (size_t i = 0; i < s->include.nr; i++) {
		if (!find(&s->include.item[i], schedule))
			return false;
	}
	return !s->unfix || find(&s->unfix, schedule);
}

/* Run the scenario's program, which does the rest. */
static int run(struct replay *r)
{
	struct sched_error wrong;
	struct sched s;
	char *program, *title;
	int status = CMD_USAGE;

	if (sched_read(r->schedule, &s, &wrong)) {
		if (wrong.line)
			err("%s:%u:%u: %s", r->schedule, wrong.line,
			    wrong.column, wrong.text);
		else
			err("%s: %s", r->schedule, wrong.text);
		return CMD_USAGE;
	}
	if (!find_all(&s, r->schedule))
		return CMD_USAGE;
	program = build_scenario(&(struct build){ .scenario = s.scenario,
						  .source = s.source,
						  .include = s.include,
						  .define = s.define,
						  .unfix = s.unfix },
				 &status);
	if (!program)
		return status;
	title = locate_title(s.scenario);
	args_add(&r->pass, "--name=%s", title);
	args_add(&r->pass, "--replay=%s", r->schedule);
	if (r->shrinks)
		args_add(&r->pass, "--shrink=%s", r->out);
	if (r->goes_on)
		args_add(&r->pass, "--schedule-out=%s", r->out);
	if (s.variant)
		args_add(&r->pass, "--variant=%s", s.variant);
	execv(program, r->pass.v);
	err("cannot run %s: %s", program, strerror(errno));
	return CMD_BUG;
}

int cmd_replay(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "FILE.sched",
		.doc = doc,
	};
	struct replay r = { 0 };

	args_add(&r.pass, "%s", argv[0]);
	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &r);
	if (r.strict && r.goes_on) {
		err("--strict ends with the schedule, --continue goes on; "
		    "choose one");
		return CMD_USAGE;
	}
	if (r.of_going_on && !r.goes_on) {
		err("%s needs --continue P, which goes on after the schedule",
		    r.of_going_on);
		return CMD_USAGE;
	}
	if (!r.out)
		r.out = beside(r.schedule, "next");
	return run(&r);
}

int cmd_shrink(int argc, char **argv)
{
	static const struct argp argp = {
		.options = shrink_options,
		.parser = parse_option,
		.args_doc = "FILE.sched",
		.doc = shrink_doc,
	};
	struct replay r = { 0 };

	args_add(&r.pass, "%s", argv[0]);
	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &r);
	if (!r.out)
		r.out = beside(r.schedule, "min");
	r.shrinks = true;
	return run(&r);
}

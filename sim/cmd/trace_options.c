// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_options.c - the command line of trapline trace.
 *
 * An option is a row of `options`, a case in parse() and a member of
 * struct trace_options.
 */
#include "trace_options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "entry.h"

enum {
	OPT_FORMAT = 256,
	OPT_STEP,
	OPT_LIMIT,
	OPT_FORCE,
	OPT_FAST,
	OPT_VARIANT
};

static const struct argp_option options[] = {
	{ NULL, 'e', "SPEC", 0,
	  "a probe: p:PATH:SYMBOL[+OFF] (entry) or r:PATH:SYMBOL (return), "
	  "PATH may be a library's name, SYMBOL may have * and ?; behind it "
	  "(0x3010) is the file offset of its reference counter; then comes "
	  "what to print, as in "
	  "'p:libc.so.6:puts s=+0($arg1):string'; may be repeated",
	  0 },
	{ NULL, 'c', NULL, 0, "print a summary only", 0 },
	{ NULL, 'o', "FILE", 0, "write to FILE instead of stderr", 0 },
	{ "stack", 'k', "DEPTH", OPTION_ARG_OPTIONAL,
	  "print the program's stack at each hit, at most DEPTH frames (64)",
	  0 },
	{ "format", OPT_FORMAT, "FORMAT", 0,
	  "text (default), jsonl (one object a line) or ftrace (as the "
	  "kernel's file trace)",
	  0 },
	{ "step", OPT_STEP, "HOW", 0,
	  "how copied instructions run: auto (default; most jump back by "
	  "themselves), bp (to a breakpoint behind them, where exact) or hw "
	  "(single step)",
	  0 },
	{ "pid", 'p', "PID", 0,
	  "attach to this process instead of running PROGRAM", 0 },
	{ "limit", OPT_LIMIT, "N", 0,
	  "leave the program to itself after N hits", 0 },
	{ "variant", OPT_VARIANT, "NAME", 0,
	  "the probe logic of a release, 6.13 to 6.18 (the default) or 7.2, or "
	  "of designs, as in signals=siglock,storage=pool",
	  0 },
	{ "force", OPT_FORCE, NULL, 0,
	  "put probes, with a warning, where they may break the program: "
	  "inside an instruction, or at the return of a function that does "
	  "not bear it",
	  0 },
	{ "fast", OPT_FAST, NULL, 0,
	  "do not stop at system calls; for programs that do not block, ignore "
	  "or handle SIGTRAP",
	  0 },
	{ 0 }
};

/* what: the option's, for a message. */
static void number(struct argp_state *state, const char *arg, const char *what,
		   unsigned long *to)
{
	char *end;

	errno = 0;
	*to = strtoul(arg, &end, 0);
	if (*end || end == arg || *arg == '-' || (!errno && !*to))
		argp_error(state,
			   "'%s': a number above 0 is expected, as in %s", arg,
			   what);
	else if (errno)
		argp_error(state,
			   "'%s': this number needs more than 64 bits; give a "
			   "smaller one, as in %s",
			   arg, what);
}

/* The place of a word in a list that NULL ends, or -1. */
static int choice(const char *arg, const char *const *names)
{
	int i;

	for (i = 0; names[i]; i++)
		if (!strcmp(arg, names[i]))
			return i;
	return -1;
}

static void format(struct argp_state *state, const char *arg,
		   enum output_format *to)
{
	static const char *const names[] = { [OUTPUT_TEXT] = "text",
					     [OUTPUT_JSONL] = "jsonl",
					     [OUTPUT_FTRACE] = "ftrace",
					     NULL };
	int i = choice(arg, names);

	if (i < 0)
		argp_error(state, "'%s': formats are text, jsonl and ftrace",
			   arg);
	*to = i;
}

static void step(struct argp_state *state, const char *arg, enum live_step *to)
{
	static const char *const names[] = { [LIVE_STEP_AUTO] = "auto",
					     [LIVE_STEP_HW] = "hw",
					     [LIVE_STEP_BP] = "bp",
					     NULL };
	int i = choice(arg, names);

	if (i < 0)
		argp_error(state, "'%s': ways to step are auto, bp and hw",
			   arg);
	*to = i;
}

static void variant(struct argp_state *state, const char *name)
{
	const char *why = sim_variant_set(name);

	if (why)
		argp_error(state, "variant '%s': %s", name, why);
}

static void add_spec(struct argp_state *state, const char *spec,
		     struct trace_options *o)
{
	const char **bigger;

	bigger = realloc(o->spec, (o->nr_specs + 1) * sizeof(*bigger));
	if (!bigger)
		argp_failure(state, CMD_FAILED, ENOMEM, "probes");
	o->spec = bigger;
	o->spec[o->nr_specs++] = spec;
}

static void check(struct argp_state *state, const struct trace_options *o)
{
	if (!o->argv && !o->pid)
		argp_error(state, "no program; put it behind --");
	if (o->argv && o->pid)
		argp_error(state, "either a program or -p PID");
	if (!o->nr_specs)
		argp_error(state, "no probe; add -e p:PATH:SYMBOL");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct trace_options *o = state->input;

	switch (key) {
	case 'e':
		add_spec(state, arg, o);
		return 0;
	case 'c':
		o->summary_only = true;
		return 0;
	case 'o':
		o->file = arg;
		return 0;
	case 'k':
		o->stack = STACK_DEFAULT;
		if (arg)
			number(state, arg, "-k16", &o->stack);
		if (o->stack > STACK_MAX)
			argp_error(state, "'%s': a stack has at most %d frames",
				   arg, STACK_MAX);
		return 0;
	case OPT_FORMAT:
		format(state, arg, &o->format);
		return 0;
	case OPT_STEP:
		step(state, arg, &o->step);
		return 0;
	case 'p':
		number(state, arg, "-p 1234", &o->pid);
		return 0;
	case OPT_LIMIT:
		number(state, arg, "--limit 100", &o->limit);
		return 0;
	case OPT_VARIANT:
		variant(state, arg);
		return 0;
	case OPT_FORCE:
		o->force = true;
		return 0;
	case OPT_FAST:
		o->fast = true;
		return 0;
	case ARGP_KEY_ARG:
		/* The program; what follows is for it. */
		o->argv = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		check(state, o);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	options,
	parse,
	"-e SPEC [-e SPEC]... -- PROGRAM [ARG]...",
	"Run PROGRAM and print each hit of the probes.\v"
	"  trapline trace -e p:libc.so.6:malloc -e r:libc.so.6:malloc -- ls\n"
	"  trapline trace -c -e 'p:./demo:main+0x4' -- ./demo\n"
	"  trapline trace -c -e 'p:libc.so.6:*alloc*' -- ls\n"
	"  trapline trace -e 'r:libc.so.6:malloc at=$retval' -- ls\n\n"
	"What to print is NAME=FETCH:TYPE, as in tracefs; FETCH is %di or "
	"another register, $arg1 ... $arg6, $retval, $stack, $stack0 ..., "
	"$comm, +8(FETCH) for memory, \\5; TYPE is u8 ... u64, s8 ..., "
	"x8 ... (default x64), char or string. NAME and TYPE may be left "
	"out.\n\n"
	"The status is PROGRAM's (128+N if signal N ended it), 125 for a "
	"failure of trapline itself, 126 if PROGRAM cannot be executed, 127 "
	"if there is none. With -p it is 0 or 125.",
	NULL,
	NULL,
	NULL
};

void trace_options(int argc, char **argv, struct trace_options *out)
{
	argp_err_exit_status = CMD_FAILED;
	*out = (struct trace_options){ 0 };
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, out);
}

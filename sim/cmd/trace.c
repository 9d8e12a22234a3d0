// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - trapline trace: run a program, print hits, return its status.
 */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd.h"
#include "live.h"
#include "output.h"
#include "resolve.h"

#define MAX_PROBES 8192

struct trace {
	const char *spec[MAX_PROBES];
	unsigned int nr;
	const char *file;
	bool jsonl, summary_only;
	enum live_step step;
	unsigned long limit;
	char **argv;
	unsigned long pid;
	struct output *out;
	struct probe_place *place;
	struct live_probe *probe;
};

/* ---- command line ---------------------------------------------------------------- */

enum { OPT_FORMAT = 256, OPT_STEP, OPT_LIMIT };

static const struct argp_option options[] = {
	{ NULL, 'e', "SPEC", 0,
	  "a probe: p:PATH:SYMBOL[+OFF] (entry) or r:PATH:SYMBOL (return), "
	  "PATH may be a library's name; behind it what to print, as in "
	  "'p:libc.so.6:puts s=+0($arg1):string'; may be repeated",
	  0 },
	{ NULL, 'c', NULL, 0, "print a summary only", 0 },
	{ NULL, 'o', "FILE", 0, "write to FILE instead of stderr", 0 },
	{ "format", OPT_FORMAT, "FORMAT", 0, "text (default) or jsonl", 0 },
	{ "step", OPT_STEP, "HOW", 0,
	  "how copied instructions run: auto (default), bp (to a breakpoint "
	  "behind them, where exact) or hw (single step)",
	  0 },
	{ "pid", 'p', "PID", 0,
	  "attach to this process instead of running PROGRAM", 0 },
	{ "limit", OPT_LIMIT, "N", 0,
	  "leave the program to itself after N hits", 0 },
	{ 0 }
};

static error_t number(struct argp_state *state, const char *arg,
		      unsigned long *to)
{
	char *end;

	errno = 0;
	*to = strtoul(arg, &end, 0);
	if (errno || *end || end == arg || *arg == '-' || !*to)
		argp_error(state, "'%s': a number above 0 is expected", arg);
	return 0;
}

static error_t format(struct argp_state *state, const char *arg, bool *jsonl)
{
	*jsonl = !strcmp(arg, "jsonl");
	if (!*jsonl && strcmp(arg, "text"))
		argp_error(state, "'%s': formats are text and jsonl", arg);
	return 0;
}

static error_t step(struct argp_state *state, const char *arg,
		    enum live_step *to)
{
	static const char *const names[] = { [LIVE_STEP_AUTO] = "auto",
					     [LIVE_STEP_HW] = "hw",
					     [LIVE_STEP_BP] = "bp" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(arg, names[i])) {
			*to = i;
			return 0;
		}
	}
	argp_error(state, "'%s': ways to step are auto, bp and hw", arg);
	return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct trace *t = state->input;

	switch (key) {
	case 'e':
		if (t->nr == MAX_PROBES)
			argp_error(state, "more than %d probes", MAX_PROBES);
		t->spec[t->nr++] = arg;
		return 0;
	case 'c':
		t->summary_only = true;
		return 0;
	case 'o':
		t->file = arg;
		return 0;
	case OPT_FORMAT:
		return format(state, arg, &t->jsonl);
	case OPT_STEP:
		return step(state, arg, &t->step);
	case 'p':
		return number(state, arg, &t->pid);
	case OPT_LIMIT:
		return number(state, arg, &t->limit);
	case ARGP_KEY_ARG:
		/* The program; what follows is for it. */
		t->argv = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!t->argv && !t->pid)
			argp_error(state, "no program; put it behind --");
		if (t->argv && t->pid)
			argp_error(state, "either a program or -p PID");
		if (!t->nr)
			argp_error(state, "no probe; add -e p:PATH:SYMBOL");
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

/* ---- hits ------------------------------------------------------------------------------ */

static struct trace trace;

static const char *how_name(const struct arch_insn *insn)
{
	if (insn->how == ARCH_EMULATE)
		return "emulated";
	if (insn->flags & ARCH_SYSCALL)
		return "syscall";
	return live_step_to_breakpoint(trace.step, insn) ? "breakpoint"
							 : "stepped";
}

static void on_hit(void *arg, const struct live_hit *hit)
{
	const struct probe_place *p = arg;

	output_hit(trace.out, p, how_name(&p->insn), hit);
}

static void on_hit_quiet(void *arg, const struct live_hit *hit)
{
}

static int prepare(struct trace *t)
{
	unsigned int i;

	t->place = calloc(t->nr, sizeof(*t->place));
	t->probe = calloc(t->nr, sizeof(*t->probe));
	if (!t->place || !t->probe) {
		err("out of memory");
		return -1;
	}
	for (i = 0; i < t->nr; i++) {
		if (resolve(t->spec[i], &t->place[i]))
			return -1;
		t->probe[i] = (struct live_probe){
			.path = t->place[i].path,
			.offset = t->place[i].offset,
			.ret = t->place[i].spec.ret,
			.hit = t->summary_only ? on_hit_quiet : on_hit,
			.arg = &t->place[i],
		};
		if (t->place[i].chosen_at_runtime)
			err("note: %s is chosen at run time; probing the "
			    "implementation for this processor, at 0x%lx",
			    t->place[i].name, t->place[i].offset);
	}
	t->out = output_open(t->file, t->jsonl);
	if (!t->out)
		err("%s: %s; choose another -o FILE", t->file, strerror(errno));
	return t->out ? 0 : -1;
}

/* ---- the end ------------------------------------------------------------------------------ */

static int failed(struct trace *t, const struct live_result *r)
{
	const char *why = strerror(r->err);

	switch (r->failure) {
	case LIVE_OK:
		return CMD_OK;
	case LIVE_EXEC:
		err("%s: %s", t->argv[0], why);
		return r->err == ENOENT ? CMD_NOT_FOUND : CMD_NO_EXEC;
	case LIVE_PTRACE:
		if (r->err == ESRCH) {
			err("there is no process %lu", t->pid);
			return CMD_FAILED;
		}
		err("ptrace: %s; it is forbidden here (a container's seccomp "
		    "profile, or kernel.yama.ptrace_scope=3)",
		    why);
		return CMD_FAILED;
	case LIVE_PROBE:
		err("%s: cannot be registered: %s", t->spec[r->probe], why);
		return CMD_FAILED;
	case LIVE_SYSTEM:
		err("%s: %s", r->what, why);
		return CMD_FAILED;
	}
	return CMD_FAILED;
}

int cmd_trace(int argc, char **argv)
{
	struct live_config config;
	struct live_result r;
	int status, write_err;

	argp_err_exit_status = CMD_FAILED;
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &trace) ||
	    prepare(&trace))
		return CMD_FAILED;
	config = (struct live_config){ trace.argv, trace.pid,  trace.probe,
				       trace.nr,   trace.step, trace.limit };
	live_run(&config, &r);
	if (!r.failure)
		output_summary(trace.out, trace.place, trace.probe, trace.nr,
			       trace.summary_only);
	write_err = output_close(trace.out);
	status = failed(&trace, &r);
	if (status)
		return status;
	/* Who read it has gone, and wants no more. */
	if (write_err && r.signal != SIGPIPE) {
		err("%s: %s", trace.file ? trace.file : "stderr",
		    strerror(write_err));
		return CMD_FAILED;
	}
	if (trace.pid)
		return CMD_OK;
	if (r.signal)
		return 128 + r.signal;
	return WIFSIGNALED(r.status) ? 128 + WTERMSIG(r.status)
				     : WEXITSTATUS(r.status);
}

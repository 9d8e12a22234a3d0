// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - trapline trace: run a program, print hits, return its status.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "attach_check.h"
#include "cmd.h"
#include "live.h"
#include "output.h"
#include "probe_set.h"
#include "resolve.h"
#include "trace_options.h"
#include "unwinder_check.h"

/* ---- hits ------------------------------------------------------------------------------ */

static struct trace {
	struct trace_options options;
	struct probe_set set;
	struct output *out;
} trace;

static void on_hit(void *arg, const struct live_hit *hit)
{
	const struct probe_place *p = arg;

	output_hit(trace.out, p, probe_how_at(p, hit), hit);
}

static void on_hit_quiet(void *arg, const struct live_hit *hit)
{
}

static bool has_return(const struct probe_set *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->probe[i].ret)
			return true;
	return false;
}

/* The kernel would leave it to the shell to make sense of it. */
static bool is_foreign(const char *program)
{
	const char *instead = NULL;
	char path[PATH_MAX];

	if (!resolve_path(program, path))
		instead = resolve_foreign(path);
	if (instead)
		err("%s: %s", program, instead);
	return instead;
}

static int prepare(const struct trace_options *o)
{
	trace.set.step = o->step;
	if (probe_set(&trace.set, o->spec, o->nr_specs, o->force,
		      o->summary_only ? on_hit_quiet : on_hit))
		return -1;
	if (has_return(&trace.set) &&
	    !unwinder_check(o->argv ? o->argv[0] : NULL, o->pid, o->force))
		return -1;
	trace.out = output_open(o->file, o->format, o->stack);
	if (!trace.out)
		err("%s: %s; choose another -o FILE", o->file, strerror(errno));
	return trace.out ? 0 : -1;
}

/* ---- the end ------------------------------------------------------------------------------ */

static int not_executed(const char *program, int why)
{
	switch (why) {
	case ENOENT:
		err("%s: %s; give its path, or a name that PATH leads to "
		    "(a script also needs its interpreter)",
		    program, strerror(why));
		return CMD_NOT_FOUND;
	case EACCES:
		err("%s: %s; it has to be a file, executable for you (chmod "
		    "+x)",
		    program, strerror(why));
		return CMD_NO_EXEC;
	default:
		err("%s: %s", program, strerror(why));
		return CMD_NO_EXEC;
	}
}

static const char *untraceable(int why)
{
	switch (why) {
	case EACCES:
	case EPERM:
		return "it may be executed but not read, so it cannot be "
		       "traced; run trapline as root, or make it readable "
		       "(chmod +r)";
	case EOPNOTSUPP:
		return "only 64-bit programs can be traced; run a 64-bit "
		       "build of it";
	default:
		return strerror(why);
	}
}

static int failed(const struct live_result *r)
{
	const struct trace_options *o = &trace.options;
	const char *why = strerror(r->err);

	/* Wherever it comes first, it is not that place's fault. */
	if (r->failure && r->err == EMFILE) {
		err("%s; raise the limit, as with ulimit -n 1024", why);
		return CMD_FAILED;
	}
	switch (r->failure) {
	case LIVE_OK:
		return CMD_OK;
	case LIVE_EXEC:
		return not_executed(o->argv[0], r->err);
	case LIVE_PTRACE:
		if (o->pid)
			attach_denied(o->pid);
		else
			err("ptrace: %s; it is forbidden here (a container's "
			    "seccomp profile, or kernel.yama.ptrace_scope=3)",
			    why);
		return CMD_FAILED;
	case LIVE_PROBE:
		err("%s: cannot be registered: %s; leave this probe out, or "
		    "try again if the file has just changed",
		    trace.set.place[r->probe].name, why);
		return CMD_FAILED;
	case LIVE_UNREPAIRED:
		err("an earlier trace of process %lu was killed; first run: "
		    "trapline repair -p %lu",
		    trace.options.pid, trace.options.pid);
		return CMD_FAILED;
	case LIVE_UNTRACEABLE:
		err("%s: %s", o->argv[0], untraceable(r->err));
		return CMD_FAILED;
	case LIVE_SYSTEM:
		err("%s: %s", r->what, why);
		return CMD_FAILED;
	}
	return CMD_FAILED;
}

int cmd_trace(int argc, char **argv)
{
	struct trace_options *o = &trace.options;
	struct live_config config;
	struct live_result r;
	int status, write_err;

	trace_options(argc, argv, o);
	if (o->argv && is_foreign(o->argv[0]))
		return CMD_NO_EXEC;
	if (prepare(o) || (o->pid && !attach_check(o->pid)))
		return CMD_FAILED;
	if (o->pid)
		attach_unmapped(o->pid, &trace.set);
	config = (struct live_config){
		.argv = o->argv,
		.pid = o->pid,
		.probes = trace.set.probe,
		.nr_probes = trace.set.nr,
		.step = o->step,
		.fast = o->fast,
		.limit = o->limit,
	};
	live_run(&config, &r);
	if (!r.failure)
		output_summary(trace.out, &trace.set, o->summary_only);
	write_err = output_close(trace.out);
	status = failed(&r);
	if (status)
		return status;
	if (r.left)
		err("left when another program was executed: %s",
		    untraceable(r.left));
	/* Who read it has gone, and wants no more. */
	if (write_err && r.signal != SIGPIPE) {
		err("%s: %s; the trace in it is not complete, choose another "
		    "-o FILE",
		    o->file ? o->file : "stderr", strerror(write_err));
		return CMD_FAILED;
	}
	if (o->pid)
		return CMD_OK;
	if (r.signal)
		return 128 + r.signal;
	return WIFSIGNALED(r.status) ? 128 + WTERMSIG(r.status)
				     : WEXITSTATUS(r.status);
}

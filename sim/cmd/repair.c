// SPDX-License-Identifier: GPL-2.0-only
/*
 * repair.c - trapline repair: after a trapline that traced a process was
 * killed.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "repair.h"

static const struct argp_option options[] = {
	{ "pid", 'p', "PID", 0, "the process to put right", 0 }, { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	long *pid = state->input;
	char *end;

	switch (key) {
	case 'p':
		*pid = strtol(arg, &end, 10);
		if (*end || end == arg || *pid <= 0 || *pid > 1 << 22)
			argp_error(state, "'%s': a process id is expected",
				   arg);
		return 0;
	case ARGP_KEY_END:
		if (!*pid)
			argp_error(state, "no process; add -p PID");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	options,
	parse,
	"-p PID",
	"Put a process right in which a killed 'trapline trace -p PID' has "
	"left "
	"its breakpoints and return addresses.\v"
	"A thread that runs into a breakpoint before that dies of SIGTRAP. So "
	"if trapline has to be killed, stop the process first:\n\n"
	"  kill -STOP PID; kill -KILL TRAPLINE\n"
	"  trapline repair -p PID; kill -CONT PID\n\n"
	"The status is 0, or 125 if nothing was changed or not all could be "
	"put "
	"right.",
	NULL,
	NULL,
	NULL
};

static void tell_failure(long pid, int failure, const struct live_repaired *r)
{
	switch (failure) {
	case -ENOENT:
		err("nothing to repair: no trace of process %ld was cut short "
		    "(by this user)",
		    pid);
		return;
	case -ESRCH:
		err("there is no process %ld, and nothing to repair; ps -e "
		    "lists those there are",
		    pid);
		return;
	case -EBUSY:
		err("process %ld is traced by process %d; end that first", pid,
		    r->tracer);
		return;
	default:
		err("process %ld: %s; run this as who traced it", pid,
		    strerror(-failure));
	}
}

int cmd_repair(int argc, char **argv)
{
	struct live_repaired r;
	long pid = 0;
	int failure;

	argp_err_exit_status = CMD_FAILED;
	if (argp_parse(&argp, argc, argv, 0, NULL, &pid))
		return CMD_FAILED;
	failure = live_repair(pid, &r);
	if (failure) {
		tell_failure(pid, failure, &r);
		return CMD_FAILED;
	}
	printf("process %ld: %u breakpoints, %u return addresses and %u "
	       "reference counters put back, %u threads taken out of slots\n",
	       pid, r.breakpoints, r.returns, r.counters, r.moved);
	if (r.lost)
		err("%u threads were behind a copied instruction and will fail",
		    r.lost);
	if (r.incomplete)
		err("there were more breakpoints or threads than are recorded");
	return r.lost || r.incomplete ? CMD_FAILED : CMD_OK;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwinder_check.c - would return probes end the program?
 *
 * An unwinder that is found by symbol does not see the return addresses that
 * are ours; any other does, and takes them for the end of the stack, or worse.
 */
#include "unwinder_check.h"

#include <limits.h>
#include <stdio.h>

#include "cmd.h"
#include "resolve.h"
#include "symbols.h"

bool unwinder_check(const char *program, unsigned long pid, bool force)
{
	char path[PATH_MAX], name[64];
	struct symbols *syms;
	const char *why;

	if (!program)
		snprintf(path, sizeof(path), "/proc/%lu/exe", pid);
	else if (resolve_path(program, path))
		return true;
	syms = symbols_open(path);
	if (!syms)
		return true;
	why = symbols_own_unwinder(syms);
	symbols_close(syms);
	if (!why)
		return true;
	snprintf(name, sizeof(name), "process %lu", pid);
	err("%s%s: %s; return probes may end it%s", force ? "warning: " : "",
	    program ? program : name, why,
	    force ? " (forced)" : ": use p:, or --force");
	return force;
}

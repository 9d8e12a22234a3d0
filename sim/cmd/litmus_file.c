// SPDX-License-Identifier: GPL-2.0-only
/*
 * litmus_file.c - hand a litmus test to the program that interprets it.
 *
 * Nothing is compiled: that program lies beside the archives and has the engine,
 * as a compiled scenario would.
 */
#include "litmus_file.h"

#include "cmd.h"
#include "locate.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool litmus_is_one(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strcmp(dot, ".litmus");
}

int litmus_explore(const struct build *b, struct args *pass)
{
	struct args program = { 0 };

	if (b->source.nr || b->define.nr || b->unfix) {
		err("%s is a litmus test: further files, -D and --unfix are "
		    "for scenarios in C",
		    b->scenario);
		return CMD_USAGE;
	}
	args_add(&program, "%s/litmus", locate_lib());
	args_add(pass, "--");
	args_add(pass, "%s", b->scenario);
	execv(program.v[0], pass->v);
	err("cannot run %s: %s; TRAPLINE_LIB names the directory of Trapline's "
	    "archives",
	    program.v[0], strerror(errno));
	return CMD_USAGE;
}

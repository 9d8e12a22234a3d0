/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build.h - from a scenario's source to the program that explores it.
 *
 * Compilers, flags and archives are those this program was built with; the
 * environment may name others: TRAPLINE_CC the compiler, TRAPLINE_SOURCE the
 * tree with model/ and sim/include, TRAPLINE_LIB the directory of archives.
 * Results are cached by content in $XDG_CACHE_HOME/trapline, ~/.cache/trapline
 * or, if neither can be written, /tmp/trapline-UID.
 */
#ifndef SIM_CMD_BUILD_H
#define SIM_CMD_BUILD_H

#include "schedule.h"

struct build {
	const char *scenario;	   /* path */
	struct sched_list source;  /* further files */
	struct sched_list include; /* directories, behind the model's own */
	struct sched_list define;  /* NAME or NAME=VALUE */
	const char *unfix;	   /* path of a patch, or NULL */
};

/*
 * Compile, link and cache. Returns the program's path, which the caller frees,
 * or NULL with *status the exit status, after one message.
 */
char *build_scenario(const struct build *b, int *status);

#endif /* SIM_CMD_BUILD_H */

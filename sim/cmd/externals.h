/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * externals.h - what a scenario may call.
 */
#ifndef SIM_CMD_EXTERNALS_H
#define SIM_CMD_EXTERNALS_H

#include "process.h"

#include <stdbool.h>

/*
 * Look through the object files of a scenario for calls that the explorer cannot
 * follow (fork, real threads, libc that touches the program's memory) and for
 * thread-local variables. A scenario in kernel style may call all that `archives`
 * define for it, a plain program what they define under names of the explorer's own.
 * False, and one error that names the first, if there are any. `name` is the
 * scenario's file, for the error.
 */
bool externals_allowed(const struct args *objects, const struct args *archives,
		       bool kernel_style, const char *name);

#endif /* SIM_CMD_EXTERNALS_H */

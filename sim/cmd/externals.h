/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * externals.h - what a plain C11 program may call.
 */
#ifndef SIM_CMD_EXTERNALS_H
#define SIM_CMD_EXTERNALS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Look through the object files of a plain program for calls that the explorer
 * cannot follow (fork, real threads, libc that touches the program's memory) and
 * for thread-local variables. False, and one error that names the first, if there
 * are any. `name` is the scenario's file, for the error.
 */
bool externals_allowed(char *const *objects, size_t n, const char *name);

#endif /* SIM_CMD_EXTERNALS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assembly.h - inline assembly, which the explorer cannot follow.
 */
#ifndef SIM_CMD_ASSEMBLY_H
#define SIM_CMD_ASSEMBLY_H

#include <stdbool.h>

/*
 * Look through what the compiler made of `file` (its assembly, at `path`). False,
 * and one error that names the place, if the program put an instruction there. An
 * empty statement, as barrier() is, is a note to the compiler only.
 */
bool assembly_allowed(const char *path, const char *file);

#endif /* SIM_CMD_ASSEMBLY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwinder_check.h - would return probes end the program?
 */
#ifndef SIM_CMD_UNWINDER_CHECK_H
#define SIM_CMD_UNWINDER_CHECK_H

#include <stdbool.h>

/*
 * Of a program that is to be run, or (NULL) the process pid. True: none of its
 * unwinders is known to be out of reach, or the user has forced it and is
 * warned. False: the user has been told. A program that cannot be read is fine.
 */
bool unwinder_check(const char *program, unsigned long pid, bool force);

#endif /* SIM_CMD_UNWINDER_CHECK_H */

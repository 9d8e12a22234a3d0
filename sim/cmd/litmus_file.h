/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * litmus_file.h - litmus tests, which `trapline explore` takes beside C files.
 */
#ifndef SIM_CMD_LITMUS_FILE_H
#define SIM_CMD_LITMUS_FILE_H

#include "build.h"
#include "process.h"

#include <stdbool.h>

/* By its name: *.litmus. */
bool litmus_is_one(const char *path);

/*
 * Becomes the program that explores b->scenario, with the options of *pass;
 * returns an exit status, after one message, only if that is not possible.
 */
int litmus_explore(const struct build *b, struct args *pass);

#endif /* SIM_CMD_LITMUS_FILE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.h - a file of one tree, at the same place in another.
 */
#ifndef SIM_CMD_COPY_H
#define SIM_CMD_COPY_H

/* The directories that path lies in; what fails shows when path itself is made. */
void copy_make_parents(char *path);

/*
 * Copy from/path to to/path, whose parent directories are made. Returns the copy's
 * path, which the caller frees; NULL after one message.
 */
char *copy_into(const char *to, const char *from, const char *path);

#endif /* SIM_CMD_COPY_H */

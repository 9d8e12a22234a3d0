/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * locate.h - where scenarios and patches are, and what a schedule calls them.
 */
#ifndef SIM_CMD_LOCATE_H
#define SIM_CMD_LOCATE_H

/*
 * Trapline's own source files and archives, which scenarios are compiled
 * against: of the installed program or of the build tree; the environment
 * (TRAPLINE_SOURCE, TRAPLINE_LIB) overrides. Never NULL; not to be freed.
 */
const char *locate_source(void);
const char *locate_lib(void);

/*
 * How to name an existing file from here: relative if it is below the current
 * directory, else relative to the git work tree that it is in, else absolute.
 * Caller frees; NULL with errno set if there is no such file.
 */
char *locate_name(const char *path);

/* Below the current directory: relative to it, else absolute. As locate_name. */
char *locate_here(const char *path);

/*
 * Find a file that a schedule names: relative to the directory of the schedule
 * or one of its parents, to the current directory or one of its parents, or to
 * Trapline's own source tree. Caller frees; NULL with errno set.
 */
char *locate_find(const char *name, const char *schedule);

/* What verdicts call a scenario: its folder for scenario.c, else its stem. */
char *locate_title(const char *path);

#endif /* SIM_CMD_LOCATE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - run the program as a user does, see what it says.
 */
#ifndef TESTS_CLI_COMMAND_H
#define TESTS_CLI_COMMAND_H

/* Of the last command; freed by the next. */
extern char *command_out, *command_err;

/*
 * A scratch directory, current from now on, with a cache of compiled scenarios
 * of its own; removed at the end of the test.
 */
void command_setup(void);
void command_teardown(void);

/*
 * Run a shell command line in which $T is the program, $P tests/cli/programs
 * and $S the source tree. Returns the exit status.
 */
__attribute__((format(printf, 1, 2))) int command(const char *fmt, ...);

/* command_out without lines and members that hold times. */
char *command_timeless(void);

/* Fail the test unless the text is in it. */
void command_says(const char *text, const char *part);

/* Content of a file in the scratch directory; the caller frees it. */
char *command_file(const char *path);

#endif /* TESTS_CLI_COMMAND_H */

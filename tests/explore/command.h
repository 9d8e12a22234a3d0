/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - run a command of the shell, look at what it printed and at the object
 * that its last line is. For a test program of one file.
 */
#ifndef TESTS_EXPLORE_COMMAND_H
#define TESTS_EXPLORE_COMMAND_H

#include <check.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static char output[1 << 20]; /* of the last command, its stdout */

/* Its exit status. */
__attribute__((format(printf, 1, 2))) static int command(const char *format,
							 ...)
{
	char line[4096];
	va_list ap;
	FILE *p;
	size_t n;

	va_start(ap, format);
	ck_assert_int_lt(vsnprintf(line, sizeof(line), format, ap),
			 sizeof(line));
	va_end(ap);
	p = popen(line, "r");
	ck_assert_ptr_nonnull(p);
	n = fread(output, 1, sizeof(output) - 1, p);
	output[n] = '\0';
	return WEXITSTATUS(pclose(p));
}

/* The caller drops it. */
static inline json_t *last_line(void)
{
	size_t n = strlen(output);
	const char *line;
	json_t *j;

	while (n && output[n - 1] == '\n')
		output[--n] = '\0';
	line = strrchr(output, '\n');
	j = json_loads(line ? line + 1 : output, 0, NULL);
	ck_assert_msg(j != NULL, "not JSON: %s", output);
	return j;
}

#endif /* TESTS_EXPLORE_COMMAND_H */

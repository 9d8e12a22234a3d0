// SPDX-License-Identifier: GPL-2.0-only
/*
 * command.c - run the program as a user does, see what it says.
 */
#include "command.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char *command_out, *command_err;

static char scratch[] = "/tmp/trapline-cli.XXXXXX";

void command_setup(void)
{
	char cache[64];

	ck_assert_ptr_nonnull(mkdtemp(scratch));
	ck_assert_int_eq(chdir(scratch), 0);
	snprintf(cache, sizeof(cache), "%s/cache", scratch);
	setenv("XDG_CACHE_HOME", cache, 1);
	setenv("T", TRAPLINE_PROGRAM, 1);
	setenv("S", TRAPLINE_SOURCE_DIR, 1);
	setenv("P", TRAPLINE_SOURCE_DIR "/tests/cli/programs", 1);
}

void command_teardown(void)
{
	char line[64];

	snprintf(line, sizeof(line), "rm -rf %s", scratch);
	ck_assert_int_eq(system(line), 0);
}

char *command_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	int c;

	ck_assert_msg(f != NULL, "no file %s", path);
	while ((c = getc(f)) != EOF)
		putc(c, to);
	fclose(f);
	fclose(to);
	return text;
}

int command(const char *fmt, ...)
{
	char *line, *full;
	va_list ap;
	int status;

	va_start(ap, fmt);
	ck_assert_int_gt(vasprintf(&line, fmt, ap), 0);
	va_end(ap);
	ck_assert_int_gt(
		asprintf(&full, "{ %s\n} >.out 2>.err </dev/null", line), 0);
	status = system(full);
	free(full);
	free(line);
	free(command_out);
	free(command_err);
	command_out = command_file(".out");
	command_err = command_file(".err");
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

char *command_timeless(void)
{
	char *text = strdup(command_out), *s;

	s = strstr(text, "time:  ");
	if (!s)
		s = strstr(text, "\"seconds\":");
	ck_assert_ptr_nonnull(s);
	/* It stands at the end of both. */
	ck_assert_ptr_eq(strchr(s, '\n'), text + strlen(text) - 1);
	*s = '\0';
	return text;
}

void command_says(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in:\n%.2500s", part,
		      text);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c - expected.txt, line by line.
 */
#include "table.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char *const table_models[TABLE_MODELS] = { "sc", "tso", "lkmm" };
struct table_row table[TABLE_MAX];
int table_rows;

static int number(const char *text)
{
	return strcmp(text, "-") ? atoi(text) : -1;
}

void table_read(void)
{
	FILE *f = fopen(SHAPES "/../expected.txt", "re");
	char *line = NULL;
	size_t room = 0;

	ck_assert_ptr_nonnull(f);
	table_rows = 0;
	while (getline(&line, &room, f) > 0) {
		struct table_row *r = &table[table_rows];
		char n[TABLE_MODELS][8], source[8];

		if (*line == '#')
			continue;
		ck_assert_int_lt(table_rows, TABLE_MAX);
		/* a source is named in every line */
		ck_assert_msg(sscanf(line,
				     "%63s %15s %15s %15s %7s %7s %7s %7s",
				     r->name, r->observation[0],
				     r->observation[1], r->observation[2], n[0],
				     n[1], n[2], source) == 8,
			      "expected.txt: %s", line);
		for (int m = 0; m < TABLE_MODELS; m++)
			r->executions[m] = number(n[m]);
		table_rows++;
	}
	free(line);
	fclose(f);
}

char *table_run(const char *name, const char *options, int *status)
{
	char command[1024], *text;
	size_t len;
	FILE *p, *to;
	int c;

	snprintf(command, sizeof(command),
		 TRAPLINE " explore " SHAPES "/%s.litmus %s 2>&1", name,
		 options);
	p = popen(command, "r");
	ck_assert_ptr_nonnull(p);
	to = open_memstream(&text, &len);
	ck_assert_ptr_nonnull(to);
	while ((c = getc(p)) != EOF)
		putc(c, to);
	fclose(to);
	*status = WEXITSTATUS(pclose(p));
	return text;
}

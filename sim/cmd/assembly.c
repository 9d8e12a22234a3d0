// SPDX-License-Identifier: GPL-2.0-only
/*
 * assembly.c - inline assembly, found in what the compiler writes.
 *
 * gcc puts it between #APP and #NO_APP, behind a line that names its source. Only
 * there is it sure to be in the program at all: headers are full of it.
 */
#include "assembly.h"

#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line like `# 12 "count.c" 1`: where the next statement comes from. */
static bool read_place(const char *line, unsigned int *number, char *file,
		       size_t room)
{
	const char *from = strchr(line, '"'), *to = strrchr(line, '"');

	if (sscanf(line, " # %u", number) != 1 || from == to)
		return false;
	if (*number)
		snprintf(file, room, "%.*s", (int)(to - from - 1), from + 1);
	return true;
}

static bool is_empty(const char *line)
{
	return !line[strspn(line, " \t\n")];
}

bool assembly_allowed(const char *path, const char *file)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, place[4096] = "";
	unsigned int number = 0, at = 0;
	bool inside = false, good = true;
	size_t room = 0;

	if (!f) {
		err("cannot read the assembly of %s: %s", file,
		    strerror(errno));
		return false;
	}
	while (good && getline(&line, &room, f) > 0) {
		if (!strncmp(line, "#APP", 4)) {
			inside = true;
		} else if (!strncmp(line, "#NO_APP", 7)) {
			inside = false;
		} else if (!inside) {
			continue;
		} else if (read_place(line, &number, place, sizeof(place))) {
			at = number ? number : at;
		} else {
			good = is_empty(line);
		}
	}
	if (!good)
		err("%s:%u: inline assembly, which the explorer cannot follow; "
		    "say it in C, or with the kernel's primitives",
		    *place ? place : file, at);
	free(line);
	fclose(f);
	return good;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * copy.c - a file of one tree, at the same place in another.
 */
#include "copy.h"

#include "cmd.h"
#include "text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void copy_make_parents(char *path)
{
	for (char *s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(path, 0777);
		*s = '/';
	}
}

static bool copy(const char *from, const char *to)
{
	FILE *in = fopen(from, "re"), *out = in ? fopen(to, "we") : NULL;
	bool good;
	int c;

	while (out && (c = getc(in)) != EOF)
		putc(c, out);
	good = out && !ferror(in);
	if (in)
		fclose(in);
	if (out && fclose(out))
		good = false;
	return good;
}

char *copy_into(const char *to, const char *from, const char *path)
{
	char *old = text_print("%s/%s", from, path);
	char *new = text_print("%s/%s", to, path);

	copy_make_parents(new);
	if (!copy(old, new)) {
		err("cannot copy %s to %s: %s", old, new, strerror(errno));
		free(new);
		new = NULL;
	}
	free(old);
	return new;
}

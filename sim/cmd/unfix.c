// SPDX-License-Identifier: GPL-2.0-only
/*
 * unfix.c - a patch that puts one bug into a copy of one file of the model.
 *
 * Only that file is compiled again; its object is linked before the archive,
 * so the archive's own is never pulled in.
 */
#include "unfix.h"

#include "cmd.h"
#include "copy.h"
#include "process.h"
#include "text.h"

#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "+++ b/model/x.c\tdate" after a line "--- ": model/x.c, else NULL. */
static char *target_of(char *line)
{
	char *path = strchr(line + 4, '/');
	size_t n;

	if (strncmp(line, "+++ ", 4) || !path)
		return NULL;
	path++; /* as patch -p1 does */
	n = strcspn(path, "\t\r\n");
	return strndup(path, n);
}

static bool in_model(const char *path)
{
	size_t n = strlen(path);

	return !strncmp(path, "model/", 6) && n > 8 &&
	       !strcmp(path + n - 2, ".c") && !strstr(path, "..");
}

char *unfix_target(const char *patch)
{
	char *line = NULL, *target = NULL, *next;
	bool old = false, many = false;
	size_t room = 0;
	FILE *f = fopen(patch, "re");

	if (!f) {
		err("cannot read the patch %s: %s", patch, strerror(errno));
		return NULL;
	}
	while (getline(&line, &room, f) > 0) {
		next = old ? target_of(line) : NULL;
		old = !strncmp(line, "--- ", 4);
		if (!next)
			continue;
		many |= target && strcmp(target, next);
		free(target);
		target = next;
	}
	free(line);
	fclose(f);
	if (target && !many && in_model(target))
		return target;
	err("%s: an unfix changes one .c file of model/%s%s", patch,
	    target ? ", not " : "; this names no file",
	    !target ? ""
	    : many  ? "several files"
		    : target);
	free(target);
	return NULL;
}

char *unfix_apply(const char *patch, const char *target, const char *source,
		  const char *dir)
{
	char *root = text_print("%s/src", dir);
	char *copy = copy_into(root, source, target), *full;
	struct args a = { 0 };
	int ret;

	free(root);
	if (!copy)
		return NULL;
	full = realpath(patch, NULL);
	args_add(&a, "patch");
	args_add(&a, "-p1");
	args_add(&a, "--fuzz=0");
	args_add(&a, "--silent");
	args_add(&a, "--batch");
	args_add(&a, "--forward");
	args_add(&a, "--reject-file=-");
	args_add(&a, "--no-backup-if-mismatch");
	args_add(&a, "--directory=%s/src", dir);
	args_add(&a, "--input=%s", full ? full : patch);
	ret = process_run(&a, NULL);
	args_free(&a);
	free(full);
	if (!ret)
		return copy;
	free(copy);
	if (ret < 0)
		err("cannot run patch, which --unfix needs: %s",
		    strerror(-ret));
	else
		err("%s does not apply to %s/%s: refresh it against the "
		    "present text",
		    patch, source, target);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * locate.c - where scenarios and patches are, and what a schedule calls them.
 *
 * A schedule is shared and committed, so it names files relative to a tree, not
 * to a machine.
 */
#include "locate.h"

#include "text.h"
#include "toolchain.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The part of path below dir, or NULL. Both are absolute and resolved. */
static const char *below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	if (n == 1) /* everything is below the root: says nothing */
		return NULL;
	return !strncmp(path, dir, n) && path[n] == '/' ? path + n + 1 : NULL;
}

static char *join(const char *dir, const char *name)
{
	char *path;

	path = text_print("%s/%s", dir, name);
	return path;
}

static bool exists_in(const char *dir, const char *name)
{
	char *path = join(dir, name);
	bool yes = !access(path, F_OK);

	free(path);
	return yes;
}

/* Cut the last component off; false at the root. */
static bool up(char *dir)
{
	char *slash = strrchr(dir, '/');

	if (!slash || slash == dir)
		return false;
	*slash = '\0';
	return true;
}

/*
 * What a variable says; or, of an installed program, what lies beside it; or
 * where it was built.
 */
static const char *own_dir(const char *variable, const char *installed,
			   const char *built)
{
	const char *value = getenv(variable);
	char exe[PATH_MAX];
	ssize_t n;

	if (value && *value)
		return value;
	n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (n <= 0)
		return built;
	exe[n] = '\0';
	/* PREFIX/bin/trapline */
	if (up(exe) && up(exe) && exists_in(exe, installed))
		return join(exe, installed);
	return built;
}

const char *locate_source(void)
{
	return own_dir("TRAPLINE_SOURCE", "share/trapline", TOOLCHAIN_SOURCE);
}

const char *locate_lib(void)
{
	return own_dir("TRAPLINE_LIB", "lib/trapline", TOOLCHAIN_LIB);
}

char *locate_here(const char *path)
{
	char *full = realpath(path, NULL), cwd[PATH_MAX];
	const char *rest;

	if (!full)
		return NULL;
	rest = getcwd(cwd, sizeof(cwd)) ? below(full, cwd) : NULL;
	if (rest)
		memmove(full, rest, strlen(rest) + 1);
	return full;
}

char *locate_name(const char *path)
{
	char *here = locate_here(path), *dir;
	const char *rest;

	if (!here || *here != '/')
		return here;
	dir = strdup(here);
	if (!dir)
		abort();
	while (up(dir)) {
		if (!exists_in(dir, ".git"))
			continue;
		rest = below(here, dir);
		memmove(here, rest, strlen(rest) + 1);
		break;
	}
	free(dir);
	return here;
}

/* Look in dir (which is changed) and its parents. */
static char *find_upwards(char *dir, const char *name)
{
	do {
		if (exists_in(dir, name))
			return join(dir, name);
	} while (up(dir));
	return NULL;
}

char *locate_find(const char *name, const char *schedule)
{
	char dir[PATH_MAX], *found = NULL, *here;

	if (*name == '/')
		found = strdup(name);
	if (!found && realpath(schedule, dir) && up(dir))
		found = find_upwards(dir, name);
	if (!found && getcwd(dir, sizeof(dir)))
		found = find_upwards(dir, name);
	if (!found && exists_in(locate_source(), name))
		found = join(locate_source(), name);
	if (!found) {
		errno = ENOENT;
		return NULL;
	}
	here = locate_here(found);
	free(found);
	return here;
}

char *locate_title(const char *path)
{
	char *full = realpath(path, NULL), *title, *dot;

	if (!full)
		return strdup(path);
	title = strrchr(full, '/') + 1;
	if (!strcmp(title, "scenario.c") && up(full))
		title = strrchr(full, '/') + 1;
	dot = strrchr(title, '.');
	if (dot && dot != title)
		*dot = '\0';
	title = strdup(*title ? title : "scenario");
	free(full);
	return title;
}

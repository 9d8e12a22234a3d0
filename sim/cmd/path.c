// SPDX-License-Identifier: GPL-2.0-only
/*
 * path.c - which file a bare name means: a library, or else a program.
 *
 * Looks where the dynamic linker would, without its cache: the directories of
 * LD_LIBRARY_PATH, of ld.so.conf and the built-in ones. A name may lack its
 * version: "libc" is libc.so.6.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "resolve.h"

static bool try_glob(const char *pattern, char path[PATH_MAX])
{
	bool found = false;
	glob_t g;

	if (!glob(pattern, 0, NULL, &g))
		found = snprintf(path, PATH_MAX, "%s", g.gl_pathv[0]) <
			PATH_MAX;
	globfree(&g);
	return found;
}

static bool in_dir(const char *dir, const char *name, char path[PATH_MAX])
{
	static const char *const suffix[] = { "", ".so.[0-9]*", ".so" };
	char pattern[PATH_MAX];
	unsigned int i;

	for (i = 0; i < sizeof(suffix) / sizeof(*suffix); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s%s", dir, name,
			 suffix[i]);
		if (try_glob(pattern, path))
			return true;
	}
	return false;
}

/* A colon-separated list; only what can be executed if `programs`. */
static bool in_list(const char *list, const char *name, bool programs,
		    char path[PATH_MAX])
{
	char *copy = strdup(list ? list : ""), *rest = copy, *dir;
	bool found = false;

	while (copy && !found && (dir = strsep(&rest, ":"))) {
		if (!*dir)
			continue;
		if (!programs) {
			found = in_dir(dir, name, path);
			continue;
		}
		snprintf(path, PATH_MAX, "%s/%s", dir, name);
		found = !access(path, X_OK);
	}
	free(copy);
	return found;
}

static bool in_conf(const char *conf, const char *name, char path[PATH_MAX])
{
	FILE *f = fopen(conf, "re");
	char line[PATH_MAX];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, " \t\n#")] = '\0';
		found = *line == '/' && in_dir(line, name, path);
	}
	if (f)
		fclose(f);
	return found;
}

static bool in_system(const char *name, char path[PATH_MAX])
{
	bool found = in_conf("/etc/ld.so.conf", name, path);
	glob_t g;
	size_t i;

	if (!found && !glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &g)) {
		for (i = 0; i < g.gl_pathc && !found; i++)
			found = in_conf(g.gl_pathv[i], name, path);
		globfree(&g);
	}
	return found ||
	       in_list("/lib64:/usr/lib64:/lib:/usr/lib", name, false, path);
}

int resolve_path(const char *name, char path[PATH_MAX])
{
	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX &&
				       !access(path, F_OK)
			       ? 0
			       : -ENOENT;
	if (in_list(getenv("LD_LIBRARY_PATH"), name, false, path) ||
	    in_system(name, path) || in_list(getenv("PATH"), name, true, path))
		return 0;
	return -ENOENT;
}

void resolve_no_file(const char *name, const char *text, unsigned int at,
		     unsigned int len)
{
	if (!strchr(name, '/') && !access(name, F_OK))
		err_at(text, at, len,
		       "no such library or program on the usual search paths; "
		       "there is ./%s here: write ./%s",
		       name, name);
	else
		err_at(text, at, len,
		       "no such file; give a path, or the name of a library or "
		       "program on the usual search paths");
}

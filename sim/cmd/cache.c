// SPDX-License-Identifier: GPL-2.0-only
/*
 * cache.c - a directory of programs, named by what they were made of.
 */
#include "cache.h"
#include "copy.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DAY (24 * 3600) /* seconds */

void digest_init(struct digest *d)
{
	d->state = (unsigned __int128)0x6c62272e07bb0142 << 64 |
		   0x62b821756295c58d;
}

void digest_add(struct digest *d, const void *data, size_t n)
{
	const unsigned __int128 prime = (unsigned __int128)1 << 88 | 0x13b;
	const unsigned char *p = data;

	while (n--)
		d->state = (d->state ^ *p++) * prime;
}

void digest_string(struct digest *d, const char *s)
{
	digest_add(d, s, strlen(s) + 1);
}

bool digest_file(struct digest *d, const char *path)
{
	FILE *f = fopen(path, "re");
	char buf[4096];
	size_t n;
	bool good;

	if (!f)
		return false;
	errno = EIO;
	while ((n = fread(buf, 1, sizeof(buf), f)))
		digest_add(d, buf, n);
	good = !ferror(f);
	fclose(f);
	return good;
}

bool digest_stat(struct digest *d, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	digest_string(d, path);
	digest_add(d, &st.st_size, sizeof(st.st_size));
	digest_add(d, &st.st_mtim, sizeof(st.st_mtim));
	return true;
}

/* Make dir and its parents; it must be ours and writable in the end. */
static bool make(char *dir)
{
	struct stat st;

	copy_make_parents(dir);
	mkdir(dir, 0700);
	/* In /tmp somebody else could have been there first. */
	return !lstat(dir, &st) && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() && !access(dir, W_OK);
}

char *cache_dir(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *dir = NULL;

	if (xdg && *xdg == '/') {
		dir = text_print("%s/trapline", xdg);
	} else if (home && *home == '/') {
		dir = text_print("%s/.cache/trapline", home);
	}
	if (dir && make(dir))
		return dir;
	free(dir);
	dir = text_print("/tmp/trapline-%u", geteuid());
	if (make(dir))
		return dir;
	free(dir);
	errno = EACCES;
	return NULL;
}

char *cache_entry(const char *dir, const struct digest *d)
{
	return text_print("%s/%016llx%016llx", dir,
			  (unsigned long long)(d->state >> 64),
			  (unsigned long long)d->state);
}

void cache_used(const char *dir, const char *entry)
{
	struct stat st;

	if (!stat(entry, &st) && st.st_mtime >= time(NULL) - DAY)
		return;
	utimensat(AT_FDCWD, entry, NULL, 0);
	cache_trim(dir);
}

void cache_trim(const char *dir)
{
	const time_t old = time(NULL) - 30 * DAY;
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;
	char *path;

	while (d && (e = readdir(d))) {
		if (*e->d_name == '.')
			continue;
		path = text_print("%s/%s", dir, e->d_name);
		if (!lstat(path, &st) && st.st_mtime < old)
			remove_tree(path);
		free(path);
	}
	if (d)
		closedir(d);
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	return remove(path);
}

void remove_tree(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

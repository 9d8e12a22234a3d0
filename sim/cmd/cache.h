/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cache.h - a directory of programs, named by what they were made of.
 */
#ifndef SIM_CMD_CACHE_H
#define SIM_CMD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* FNV-1a, 128 bits: collisions are of no concern, and of no use to anybody. */
struct digest {
	unsigned __int128 state;
};

void digest_init(struct digest *d);
void digest_add(struct digest *d, const void *data, size_t n);
/* With the terminating NUL, so that neighbours do not run together. */
void digest_string(struct digest *d, const char *s);
/* Content of a file; false with errno set if it cannot be read. */
bool digest_file(struct digest *d, const char *path);
/* Name, size and time of change, for large files that a build writes. */
bool digest_stat(struct digest *d, const char *path);

/* The cache directory, created; NULL with errno set. Caller frees. */
char *cache_dir(void);
/* Path of the entry with that digest; it need not exist. Caller frees. */
char *cache_entry(const char *dir, const struct digest *d);

/*
 * Note that an entry was used, to the day: the first time that day looks at every
 * entry (cache_trim), which takes longer than a small search once there are thousands.
 */
void cache_used(const char *dir, const char *entry);
/* Drop the entries that were not used for 30 days. */
void cache_trim(const char *dir);

/* Remove a directory and what is in it. */
void remove_tree(const char *path);

#endif /* SIM_CMD_CACHE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shard_file.h - the record of a shard: what one process has seen of a search that
 * several share without knowing of each other.
 *
 *	trapline 1 shard
 *	program: 0123456789abcdef
 *	options: memory=sc ...
 *	shard: 2/7
 *	--
 *	section 0123456789abcdef
 *	part 3
 *	executions 12 blocked 0 threads 3 few_wakeups 0
 *	...
 *	end
 *	part 9 again
 *	closed finished 0123456789abcdef
 *
 * What follows a part is what record.c writes of it. `again`: it has to be followed
 * again where all is put together, since it ends the search, begins it again, or
 * teaches it something. A section has a sum of what the search knew (knowledge.c) and
 * where it was cut; its parts are of use to a search of which both are the same. The
 * last line tells whether all of the shard was searched (finished) or the time was
 * over (stopped), and has a sum of all bytes before.
 */
#ifndef SIM_EXPLORE_SHARD_FILE_H
#define SIM_EXPLORE_SHARD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Which search it is a shard of: two with the same are of one search. */
struct shard_of {
	char program[17]; /* a sum of what is loaded of the program's file */
	char *options;
};

/* options is the caller's. -errno: the program's own file cannot be read. */
int shard_of_this(struct shard_of *of, char *options);

/* ---- writing ----------------------------------------------------------------------- */

void shard_file_begin(FILE *to, const struct shard_of *of, unsigned int shard,
		      unsigned int shards);
void shard_file_section(FILE *to, uint64_t section);
/* `again`, or the part's record follows. */
void shard_file_part(FILE *to, unsigned int part, bool again);
/* text is all that has been written so far: it goes there, and the last line. */
void shard_file_close(FILE *to, const char *text, size_t len, bool finished);

/* ---- reading ----------------------------------------------------------------------- */

struct shard_records;

/* None yet; the caller's to give to shard_records_add. Never NULL. */
struct shard_records *shard_records_new(void);
/*
 * Read one more. NULL, or one sentence on what is wrong with it, or with it and
 * those before together; the caller frees that.
 */
char *shard_records_add(struct shard_records *r, const char *path,
			const struct shard_of *of);
/* The same, when there are no more: is one missing? */
char *shard_records_missing(const struct shard_records *r);

unsigned int shard_records_shards(const struct shard_records *r);

/* What is known of a part, in that section. */
enum shard_found {
	SHARD_RECORD,  /* *record, until `end` */
	SHARD_AGAIN,   /* it has to be followed again */
	SHARD_UNKNOWN, /* its shard did not know what the search knows */
	SHARD_STOPPED, /* its shard did not come to it */
};
enum shard_found shard_records_find(const struct shard_records *r,
				    unsigned int shard, uint64_t section,
				    unsigned int part, const char **record);

#endif /* SIM_EXPLORE_SHARD_FILE_H */

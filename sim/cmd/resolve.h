/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.h - from what the user wrote to a place in a file that can be probed.
 */
#ifndef SIM_CMD_RESOLVE_H
#define SIM_CMD_RESOLVE_H

#include <limits.h>

#include "arch.h"
#include "spec.h"

struct probe_place {
	const struct spec *spec; /* may be that of other places, too */
	const char *path, *name; /* of the file; for the output */
	unsigned long offset;	 /* in the file */
	struct arch_insn insn;	 /* what is there */
	bool matched;		 /* a pattern's */
};

#define PLACES_MAX 32768

struct places {
	struct probe_place *place;
	unsigned int nr;
};

/*
 * Add the place that the text names, or the places if it has a pattern. force:
 * warn of what is unsafe instead of refusing it. 0; or -1, and the user has
 * been told. What places point to lives as long as the program.
 */
int resolve(const char *text, bool force, struct places *out);

/* The file a bare name or a path means; 0 or -ENOENT. */
int resolve_path(const char *name, char path[PATH_MAX]);

/* Tell that resolve_path found nothing; the name stands in text as for err_at. */
void resolve_no_file(const char *name, const char *text, unsigned int at,
		     unsigned int len);

/* What is wrong with a file, from errno of symbols_open; with the next step. */
const char *resolve_open_error(int err);

/*
 * If a file is a program or library of another processor: what to do with it
 * instead of tracing it here, else NULL. In a static buffer.
 */
const char *resolve_foreign(const char *path);

#endif /* SIM_CMD_RESOLVE_H */

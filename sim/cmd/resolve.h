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
	bool chosen_at_runtime;	 /* offset is an implementation of an IFUNC */
};

/*
 * 0; or -1, and the user has been told. What *out points to lives as long as
 * the program.
 */
int resolve(const char *text, struct probe_place *out);

/* The file a bare name or a path means; 0 or -ENOENT. */
int resolve_path(const char *name, char path[PATH_MAX]);

/* What is wrong with a file, from errno of symbols_open; with the next step. */
const char *resolve_open_error(int err);

/* Why a return probe on this function would break the program, or NULL. */
const char *resolve_no_return(const char *symbol);

#endif /* SIM_CMD_RESOLVE_H */

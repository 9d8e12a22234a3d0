/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sharing.h - the program's side of --shard and --merge: files, messages, reports.
 */
#ifndef SIM_EXPLORE_SHARING_H
#define SIM_EXPLORE_SHARING_H

#include "options.h"
#include "report.h"

struct sharing;

/*
 * What the options ask for, of a search with that variant of the probe logic (NULL:
 * none was named); sets o->search.record or .records. NULL after one message.
 */
struct sharing *sharing_begin(struct options *o, const char *name,
			      const char *variant);

/*
 * The shard has been searched: write its record and say what it saw. False after one
 * message.
 */
bool sharing_end(struct sharing *s, FILE *to, const struct report *how,
		 const struct explore_result *r);

#endif /* SIM_EXPLORE_SHARING_H */

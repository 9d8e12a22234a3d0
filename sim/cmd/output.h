/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - what trace writes, as text for people or as JSON lines.
 *
 * One line per hit, in the order in which they happened, and a summary.
 */
#ifndef SIM_CMD_OUTPUT_H
#define SIM_CMD_OUTPUT_H

#include <stdbool.h>

#include "live.h"
#include "resolve.h"

struct output;

/* path NULL: stderr. NULL with errno set if it cannot be created. */
struct output *output_open(const char *path, bool jsonl);
/* how: of the probed instruction, see how_name in output.c. */
void output_hit(struct output *o, const struct probe_place *p, const char *how,
		const struct live_hit *hit);
void output_summary(struct output *o, const struct probe_place *p,
		    const struct live_probe *probes, unsigned int n,
		    bool table);
/* 0, or the positive errno of the first write that failed. */
int output_close(struct output *o);

#endif /* SIM_CMD_OUTPUT_H */

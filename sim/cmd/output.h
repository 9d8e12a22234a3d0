/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - what trace writes: a line per hit, in the order in which they
 * happened, and a summary.
 */
#ifndef SIM_CMD_OUTPUT_H
#define SIM_CMD_OUTPUT_H

#include <stdbool.h>

#include "probe_set.h"

enum output_format { OUTPUT_TEXT, OUTPUT_JSONL, OUTPUT_FTRACE };

#define STACK_DEFAULT 64
#define STACK_MAX 1024

struct output;

/*
 * path NULL: stderr. stack: so many frames at each hit, at most STACK_MAX. NULL
 * with errno set if it cannot be created.
 */
struct output *output_open(const char *path, enum output_format format,
			   unsigned int stack);
/* how: the probed instruction runs, see probe_how. */
void output_hit(struct output *o, const struct probe_place *p, const char *how,
		const struct live_hit *hit);
/* table: of a line for each probe, if the format leaves a choice. */
void output_summary(struct output *o, const struct probe_set *set, bool table);
/* 0, or the positive errno of the first write that failed. */
int output_close(struct output *o);

#endif /* SIM_CMD_OUTPUT_H */

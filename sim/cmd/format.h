/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.h - one way to write hits and the summary; private to output.c and the
 * files format_*.c.
 */
#ifndef SIM_CMD_FORMAT_H
#define SIM_CMD_FORMAT_H

#include "output.h"
#include "value.h"
#include "writer.h"

struct event {
	const struct probe_place *place;
	const struct live_hit *hit;
	const char *how;
	double time_us; /* since the start */
	const struct live_frame *frame;
	unsigned int nr_frames; /* 0 unless stacks are asked for */
};

struct totals {
	unsigned long hits, returns;
	unsigned long missed, too_deep, unwound; /* the last two: of missed */
};

/* Lines are ended by the function that begins them. */
struct format {
	void (*header)(struct writer *w); /* before the first hit; or NULL */
	void (*hit)(struct writer *w, const struct event *e);
	void (*summary)(struct writer *w, const struct probe_set *set,
			const struct totals *t, bool table);
};

extern const struct format format_text, format_jsonl, format_ftrace;

/* Last part of a path. */
const char *format_base(const char *path);

/* As its type says; not for FETCH_CHAR and FETCH_STRING. */
void format_number(struct writer *w, enum fetch_type type,
		   unsigned long number);

#endif /* SIM_CMD_FORMAT_H */

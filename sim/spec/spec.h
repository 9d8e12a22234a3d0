/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spec.h - what a user writes to name a probe, taken apart.
 *
 * Syntax only: no file is looked at. Accepted are
 *
 *	p:PATH:PLACE[%return][(REF)] ARG...	short form; also r:
 *	p[:[GRP/]EVENT] PATH:PLACE[%return][(REF)] ARG...
 *						as in tracefs, uprobe_events
 *	uprobe:PATH:PLACE  uretprobe:PATH:PLACE	as in bpftrace; also u:, ur:
 *
 * A blank in PATH is written with a backslash before it.
 * PLACE is SYM[+OFF], a pattern with * and ? for several SYMs, or an offset in
 * the file. REF is the offset in the file of a reference counter; fetch.h has
 * ARG.
 * Context: any; never sleeps.
 */
#ifndef SIM_SPEC_SPEC_H
#define SIM_SPEC_SPEC_H

#include <stdbool.h>

#include "error.h"
#include "fetch.h"

#define SPEC_MAX 1024	 /* longest text accepted, with its end */
#define SPEC_MAX_ARGS 16 /* of one probe */

struct spec {
	bool ret;
	char event[SPEC_MAX];  /* name in the output; "" if none was given */
	char path[SPEC_MAX];   /* or the bare name of a library */
	char symbol[SPEC_MAX]; /* "": offset is the file's */
	unsigned long offset;  /* bytes, behind the symbol or in the file */
	unsigned long ref_ctr; /* in the file; 0: none */
	struct spec_part in_path, in_place, in_ref; /* for messages */
	struct fetch arg[SPEC_MAX_ARGS];
	unsigned int nr_args;
};

/* 0, or -EINVAL with *err filled. */
int spec_parse(const char *text, struct spec *out, struct spec_error *err);

/* PLACE alone, the text from `at` on. 0, or -EINVAL with *err filled. */
int spec_parse_place(const char *text, unsigned int at, struct spec *out,
		     struct spec_error *err);

#endif /* SIM_SPEC_SPEC_H */

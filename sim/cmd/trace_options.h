/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_options.h - what the user asks of trapline trace.
 */
#ifndef SIM_CMD_TRACE_OPTIONS_H
#define SIM_CMD_TRACE_OPTIONS_H

#include <stdbool.h>

#include "live.h"
#include "output.h"

struct trace_options {
	const char **spec; /* of -e, in their order */
	unsigned int nr_specs;
	const char *file; /* NULL: stderr */
	enum output_format format;
	bool summary_only, force;
	enum live_step step;
	bool fast;
	unsigned long limit; /* 0: none */
	unsigned long stack; /* frames to print, 0: none */
	unsigned long pid;   /* 0: run argv */
	char **argv;
};

/* Fills *out; ends the program with status 125 and a message if it cannot. */
void trace_options(int argc, char **argv, struct trace_options *out);

#endif /* SIM_CMD_TRACE_OPTIONS_H */

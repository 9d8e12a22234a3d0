/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the command line that all benchmarks have.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>

struct options {
	unsigned int rounds; /* turns to take; before: if nothing is said */
	unsigned int most;   /* of them, at most */
	bool json;
};

/* What argv says. Ends the program after --help or an error, as argp does. */
void options_parse(struct options *o, const char *doc, int argc, char **argv);

#endif /* BENCH_OPTIONS_H */

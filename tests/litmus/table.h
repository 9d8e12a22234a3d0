/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.h - expected.txt: what each litmus test is observed to do.
 */
#ifndef TESTS_LITMUS_TABLE_H
#define TESTS_LITMUS_TABLE_H

#include <stddef.h>

#define TABLE_MAX 200
#define TABLE_MODELS 3

struct table_row {
	char name[64];
	char observation[TABLE_MODELS][16];
	int executions[TABLE_MODELS]; /* -1: not known beforehand */
};

extern const char *const table_models[TABLE_MODELS];
extern struct table_row table[TABLE_MAX];
extern int table_rows;

/* Fill the table; fails the test on a line that is none. */
void table_read(void);

/*
 * Run the program on a test; returns what it printed, which the caller frees,
 * and its exit status.
 */
char *table_run(const char *name, const char *options, int *status);

#endif /* TESTS_LITMUS_TABLE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * process.h - argument vectors, and running other programs with them.
 */
#ifndef SIM_CMD_PROCESS_H
#define SIM_CMD_PROCESS_H

#include <stddef.h>
#include <stdio.h>

/* NULL-terminated, ready for exec; strings are copies. */
struct args {
	char **v;
	size_t n;
};

/* Append printf-style; aborts when out of memory. */
__attribute__((format(printf, 2, 3))) void args_add(struct args *a,
						    const char *fmt, ...);
void args_add_all(struct args *a, const struct args *more);
void args_free(struct args *a);

/*
 * Run a program found in PATH and wait for it; stderr is ours. With `out`, its
 * stdout is written there, otherwise it goes to our stderr. Returns its exit
 * status, 128 + n if signal n ended it, or -errno if it did not start.
 */
int process_run(const struct args *a, FILE *out);

#endif /* SIM_CMD_PROCESS_H */

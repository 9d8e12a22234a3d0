/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modules.h - what is mapped executable in a process, for unwinding: whose code
 * an address is, what it is called, and where its unwind information is.
 */
#ifndef SIM_LIVE_MODULES_H
#define SIM_LIVE_MODULES_H

#include <stdbool.h>
#include <sys/types.h>

struct modules;
struct symbols;

/*
 * A file, or the vDSO. The table has pairs of int, the start of a piece of code
 * and its description (FDE), both from `base`, by start. It is in the process
 * at table_addr; or here, then table_addr is 0.
 */
struct module {
	const char *path;
	unsigned long base, table_addr;
	int *table;
	unsigned int nr_table;
	struct symbols *syms; /* see module_symbols */
	bool opened;
};

/* A mapping of its text. */
struct module_text {
	unsigned long start, end, off, ino;
	struct module *module; /* NULL: no file's */
};

/* As /proc/PID/maps says now. mem: its /proc/PID/mem. NULL: out of memory. */
struct modules *modules_read(pid_t tid, int mem);
/* Would they be the same if read now? */
bool modules_current(const struct modules *m, pid_t tid);
void modules_free(struct modules *m);
/* NULL if addr is in no executable mapping. */
const struct module_text *modules_find(const struct modules *m,
				       unsigned long addr);

/* Opened when first asked for; NULL: it has none. */
struct symbols *module_symbols(struct module *m);

#endif /* SIM_LIVE_MODULES_H */

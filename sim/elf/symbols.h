/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - functions of an ELF file, by name and by place.
 *
 * Both symbol tables are read once. Pointers handed out live until
 * symbols_close.
 */
#ifndef SIM_ELF_SYMBOLS_H
#define SIM_ELF_SYMBOLS_H

#include <stdbool.h>

struct symbols;

struct symbol {
	const char *name;
	unsigned long addr;   /* as linked */
	unsigned long size;   /* bytes, 0 if unknown */
	unsigned long offset; /* in the file; ~0 if not in it */
	bool code;	      /* in an executable segment */
	bool ifunc;	      /* addr is a resolver, not the function */
};

/* NULL with errno: of open, or ENOEXEC: not an ELF file for this machine. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *s);

/* By exact name; the default version of a versioned symbol goes first. */
bool symbols_find(struct symbols *s, const char *name, struct symbol *out);
/* The most similar name of a function, or NULL if none is similar. */
const char *symbols_nearest(struct symbols *s, const char *name);
/* The last function that starts at or before a file offset and covers it. */
bool symbols_at(struct symbols *s, unsigned long offset, struct symbol *out);
/* Is this file offset mapped executable? */
bool symbols_executable(struct symbols *s, unsigned long offset);
/* Read text; returns bytes read. */
long symbols_read(struct symbols *s, unsigned long offset, void *to,
		  unsigned long n);

/*
 * What the indirect function `name` of the file is implemented by here: its
 * file offset. Asks the copy loaded into this very process, so only libraries
 * that we use ourselves can be asked; the program's choice is the same one, as
 * it depends on the processor (and on GLIBC_TUNABLES, which is inherited).
 */
bool symbols_implementation(struct symbols *s, const char *name,
			    unsigned long *offset);

#endif /* SIM_ELF_SYMBOLS_H */

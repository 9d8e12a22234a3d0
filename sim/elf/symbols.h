/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - functions of an ELF file, by name and by place.
 *
 * Symbol tables are read once. Pointers handed out live until
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
	bool func;	      /* called a function by the file */
	bool ifunc;	      /* addr is a resolver, not the function */
};

/*
 * NULL with errno: of open; or EINVAL: not a regular file, ENOEXEC: not an ELF
 * file, ENOTSUP: a 32-bit one, EXDEV: one for another processor, ENOLINK: an
 * object file, not yet linked.
 */
struct symbols *symbols_open(const char *path);
/* The same, but whatever the processor, if it is one of 64 bits. */
struct symbols *symbols_open_any(const char *path);
/* The processor, as e_machine has it. */
unsigned int symbols_machine(const struct symbols *s);
/* The same, by the header alone; EM_NONE: it is not an ELF file. */
unsigned int symbols_machine_of(const char *path);
void symbols_close(struct symbols *s);
/*
 * Once, before anything is asked: add the symbols of the file that a debug
 * package has for this one, if it is installed. Its own go first.
 */
void symbols_add_debug(struct symbols *s);

/* By exact name; the default version of a versioned symbol goes first. */
bool symbols_find(struct symbols *s, const char *name, struct symbol *out);
/* The most similar name of a function, or NULL if none is similar. */
const char *symbols_nearest(struct symbols *s, const char *name);
/* Is this file offset mapped executable? */
bool symbols_executable(struct symbols *s, unsigned long offset);
/* Is it mapped writable? */
bool symbols_writable(struct symbols *s, unsigned long offset);
/* Read text; returns bytes read. */
long symbols_read(struct symbols *s, unsigned long offset, void *to,
		  unsigned long n);

/* The machine code of a function. */
struct symbol_text {
	const char *name;     /* NULL: the unwind table alone knows of it */
	unsigned long addr;   /* as linked */
	unsigned long offset; /* in the file */
	unsigned long size;   /* bytes */
};

/*
 * All functions that symbols or the unwind table tell of, by place, one for
 * each start; they may overlap. An array of *nr, or NULL if out of memory.
 */
const struct symbol_text *symbols_functions(struct symbols *s,
					    unsigned int *nr);
/* The last of them that starts at or before a file offset and covers it. */
bool symbols_function_at(struct symbols *s, unsigned long offset,
			 struct symbol_text *out);

/* A pattern has * (any letters) or ? (one letter). */
bool symbols_is_pattern(const char *name);
/*
 * The functions whose name matches, by place; of several names for one place
 * the plainest. Returns an array of *nr, which the caller frees, or NULL if out
 * of memory.
 */
struct symbol *symbols_match(struct symbols *s, const char *pattern,
			     unsigned int *nr);
/*
 * The names of the function that starts at an offset, one after the other:
 * *from is 0 at first. NULL: no more.
 */
const char *symbols_name(struct symbols *s, unsigned long offset,
			 unsigned int *from);

/* A piece of code that the unwind information describes. */
struct symbol_frame {
	unsigned long start, size; /* as linked */
	unsigned long fde;	   /* address of its entry */
};

/*
 * All of .eh_frame, by start, whether or not the file has a search table. An
 * array of *nr, which the caller frees, or NULL if out of memory.
 */
struct symbol_frame *symbols_frames(struct symbols *s, unsigned int *nr);

/*
 * Why the program's unwinders cannot be found by symbol, as a sentence; NULL:
 * they can, or it has none.
 */
const char *symbols_own_unwinder(struct symbols *s);

/* Where the program begins, as a file offset; ~0 if nowhere. */
unsigned long symbols_entry(struct symbols *s);
/*
 * Is the return address on top of the stack when this function is entered? Not
 * if the unwind table says otherwise.
 */
bool symbols_is_called(struct symbols *s, const struct symbol_text *f);

/*
 * What the indirect function `name` of the file is implemented by here: its
 * file offset. Asks the copy loaded into this very process, so only libraries
 * that we use ourselves can be asked; the program's choice is the same one, as
 * it depends on the processor (and on GLIBC_TUNABLES, which is inherited).
 */
bool symbols_implementation(struct symbols *s, const char *name,
			    unsigned long *offset);

#endif /* SIM_ELF_SYMBOLS_H */

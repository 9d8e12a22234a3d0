/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debuginfo.h - what the running program's own DWARF says.
 *
 * Read lazily, on the first question, and kept until the program ends. The
 * program is linked at fixed addresses (non-PIE), so addresses need no bias. A
 * program without debug information answers every question with "not known".
 */
#ifndef SIM_EXPLORE_DEBUGINFO_H
#define SIM_EXPLORE_DEBUGINFO_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Definition of "struct NAME", "union NAME" or a typedef; false: not known. */
bool debuginfo_type(const char *name, Dwarf_Die *type);

/* The type that a member, variable or array is of; typedefs and qualifiers off. */
bool debuginfo_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Size of a type in bytes, 0 if not known. */
size_t debuginfo_size(Dwarf_Die *type);

/* The variable with a fixed address that covers addr. */
struct debuginfo_global {
	uintptr_t base;
	size_t size;
	const char *name; /* lives as long as the program */
	Dwarf_Die type;
};
bool debuginfo_global(uintptr_t addr, struct debuginfo_global *out);

/* Where a code address is; inlined functions give a frame each. */
struct debuginfo_frame {
	const char *function;
	const char *file; /* as the compiler saw it, or NULL */
	int line;
};

/* Fill up to max frames, innermost first; returns how many. */
int debuginfo_frames(uintptr_t pc, struct debuginfo_frame *frame, int max);

/* The place in the source that the code at pc is from; false: not known. */
struct debuginfo_place {
	const char *file; /* named as that of a debuginfo_function */
	int line, column;
};
bool debuginfo_place(uintptr_t pc, struct debuginfo_place *at);

/* Name of the function that begins at pc, or NULL. */
const char *debuginfo_entry(uintptr_t pc);

/* A function that has code of its own, wherever else it was inlined. */
struct debuginfo_function {
	const char *name, *file; /* file: as given to the compiler */
	uintptr_t low, high;
};

/* Call fn for every function of every compiled file, not of its headers. */
void debuginfo_functions(void (*fn)(void *arg,
				    const struct debuginfo_function *f),
			 void *arg);

#endif /* SIM_EXPLORE_DEBUGINFO_H */

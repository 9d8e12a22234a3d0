/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fetch.h - what to read at a hit, as text: [NAME=]FETCH[:TYPE].
 *
 * As in tracefs, uprobe_events. FETCH is
 *
 *	%ax %rax %eax ...		a register, or its lower half
 *	$arg1 ... $arg6			at an entry
 *	$retval				at a return
 *	$stack $stack0 ...		the stack pointer, a word above it
 *	$comm				the thread's name
 *	+8(FETCH) -8(FETCH)		memory there
 *	\5 \-5				a number as it is
 *
 * TYPE says how much is read and how it is shown. $arg1 and the longer names
 * of registers are ours: tracefs does not know them for uprobes.
 * Context: any; never sleeps.
 */
#ifndef SIM_SPEC_FETCH_H
#define SIM_SPEC_FETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

#define FETCH_NAME 32	  /* longest name, with its end */
#define FETCH_MAX_DEREF 8 /* parentheses inside each other */
#define FETCH_TEXT 320	  /* enough for what fetch_print writes */

enum fetch_base {
	FETCH_REG,
	FETCH_REG_LOW32,
	FETCH_RETVAL,
	FETCH_ARG,
	FETCH_STACK,
	FETCH_STACK_WORD,
	FETCH_COMM,
	FETCH_IMM,
};

/* identifier, name, bytes in memory (a string's are not known before). */
#define FETCH_TYPES(X)           \
	X(FETCH_U8, "u8", 1)     \
	X(FETCH_U16, "u16", 2)   \
	X(FETCH_U32, "u32", 4)   \
	X(FETCH_U64, "u64", 8)   \
	X(FETCH_S8, "s8", 1)     \
	X(FETCH_S16, "s16", 2)   \
	X(FETCH_S32, "s32", 4)   \
	X(FETCH_S64, "s64", 8)   \
	X(FETCH_X8, "x8", 1)     \
	X(FETCH_X16, "x16", 2)   \
	X(FETCH_X32, "x32", 4)   \
	X(FETCH_X64, "x64", 8)   \
	X(FETCH_CHAR, "char", 1) \
	X(FETCH_STRING, "string", 0)

enum fetch_type {
#define X(name, text, size) name,
	FETCH_TYPES(X)
#undef X
		FETCH_NR_TYPES
};

/* One argument. Plain data: equal ones compare equal byte by byte. */
struct fetch {
	char name[FETCH_NAME];
	enum fetch_base base;
	enum fetch_type type;
	unsigned int reg; /* its number in the architecture's table */
	unsigned int nr_deref;
	long value; /* of $argN and $stackN the N; of an immediate, itself */
	long offset[FETCH_MAX_DEREF]; /* as written: the last is the first
				       * to be added and read at */
};

/* Whose argument it is decides what may be fetched, and its default name. */
struct fetch_where {
	bool ret;
	unsigned int nr; /* from 1 */
};

/* Parse this part of text. 0, or -EINVAL with *err filled. */
int fetch_parse(const char *text, struct spec_part part,
		const struct fetch_where *where, struct fetch *out,
		struct spec_error *err);

/*
 * The canonical form, NAME=FETCH:TYPE with the kernel's names of registers. To
 * parse it gives the same again.
 */
void fetch_print(const struct fetch *f, char to[FETCH_TEXT]);

/* Bytes of one value in memory; 0 of a string. */
unsigned int fetch_size(enum fetch_type type);

#endif /* SIM_SPEC_FETCH_H */

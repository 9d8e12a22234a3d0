/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_check.h - may a probe be put at this place of a file?
 */
#ifndef SIM_CMD_PLACE_CHECK_H
#define SIM_CMD_PLACE_CHECK_H

#include <stdbool.h>

#include "arch.h"
#include "symbols.h"

struct place {
	struct symbols *syms;
	const char *file;     /* its name, for messages */
	unsigned long offset; /* in it */
	bool ret;
};

enum place_answer {
	PLACE_OK,
	PLACE_UNSAFE,  /* only if the user insists */
	PLACE_REFUSED, /* never */
};

struct place_reason {
	const char *rule; /* a sentence without details; static storage */
	char what[400];	  /* the same with them, and the next step */
};

/* Fills *insn unless refused, and *why unless OK. */
enum place_answer place_check(const struct place *p, struct arch_insn *insn,
			      struct place_reason *why);

#endif /* SIM_CMD_PLACE_CHECK_H */

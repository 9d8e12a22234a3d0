/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * classify.h - what would become of a probe on an instruction, told and counted.
 */
#ifndef SIM_CMD_CLASSIFY_H
#define SIM_CMD_CLASSIFY_H

#include <stdbool.h>

#include "arch.h"
#include "symbols.h"

enum way { WAY_EMULATE, WAY_STEP, WAY_FIX, WAY_REFUSE, NR_WAYS };

/* An instruction at an address, and what would become of it. */
struct answer {
	unsigned long addr, offset;
	/* Its bytes at ARCH_LOOK_BACK; in front what is known of its function. */
	unsigned char code[ARCH_LOOK_BACK + ARCH_INSN_MAX];
	unsigned int before; /* bytes in front that are known */
	unsigned int len;    /* of what is shown */
	enum arch_verdict verdict;
	enum way way;
	const char *why;
};

struct tally {
	const struct arch_ops *arch;
	const struct arch_rules *rules; /* a kernel's, or NULL: ours */
	unsigned long functions, insns, ways[NR_WAYS],
		refused[ARCH_NR_VERDICTS];
	const char *refusals[ARCH_NR_VERDICTS]; /* sentences, where refused */
};

/*
 * Fill the answer, whose addresses, n bytes (at least 1) and bytes in front are
 * set, and count it. What does not decode is one byte long, what is cut off n.
 */
void classify(struct tally *t, struct answer *a, unsigned int n);

/* A line of text or of JSON; `in` is the function around it, or NULL. */
void classify_print(const struct tally *t, const struct answer *a,
		    const struct symbol_text *in, bool json);

/* Counts by class and by reason; path NULL: bytes were given. */
void classify_counts(const struct tally *t, const char *path, bool json);

#endif /* SIM_CMD_CLASSIFY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * herd.h - what a litmus test's exploration says, in herd's words or as JSON.
 */
#ifndef SIM_LITMUS_HERD_H
#define SIM_LITMUS_HERD_H

#include "run.h"

#include <stdio.h>

struct herd {
	const struct litmus *t;
	const char *path; /* of the file, for messages */
	enum explore_memory memory;
	enum explore_deps deps;
	const struct explore_result *result;
	const struct outcomes *outcomes;
};

/* Is the condition, as quantified, true of what was seen? */
bool herd_ok(const struct herd *how);
/* Lines as herd prints them, then what herd does not know. */
void herd_text(FILE *to, const struct herd *how);
/*
 * One object on one line. `verdict` is `violated` if what ~exists or forall
 * claims is not true, or an execution cannot end; exists only asks, and `ok` says
 * whether the answer is yes.
 */
void herd_json(FILE *to, const struct herd *how);
/* The same of a file that is not explored; the message says why. */
void herd_json_refused(FILE *to, const char *path, enum explore_memory memory,
		       const char *message);

#endif /* SIM_LITMUS_HERD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * left_out.h - functions that match a pattern and are not probed, and why.
 */
#ifndef SIM_CMD_LEFT_OUT_H
#define SIM_CMD_LEFT_OUT_H

#include <stdbool.h>

/* All 0 at first. */
struct left_out {
	struct left_out_item {
		const char *name, *why;
	} * item;
	unsigned int nr;
};

/* Neither is copied: name until left_out_tell, why in static storage. */
void left_out_add(struct left_out *l, const char *name, const char *why);

/*
 * A few lines to the user, by reason, if there are any; `of` matched. forced:
 * they are probed all the same. Frees.
 */
void left_out_tell(struct left_out *l, const char *spec, unsigned int of,
		   bool forced);

#endif /* SIM_CMD_LEFT_OUT_H */

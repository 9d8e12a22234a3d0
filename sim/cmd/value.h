/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value.h - what a fetch argument is at a hit.
 */
#ifndef SIM_CMD_VALUE_H
#define SIM_CMD_VALUE_H

#include <stdbool.h>

#include "fetch.h"
#include "live.h"

#define VALUE_STRING 4096 /* longest string shown, with its end */

struct value {
	enum {
		VALUE_NUMBER,
		VALUE_TEXT,
		VALUE_FAULT /* memory on the way to it cannot be read */
	} kind;
	unsigned long number;	 /* extended to 64 bits as its type says */
	char text[VALUE_STRING]; /* bytes of the program: any but 0 */
	bool cut;		 /* text is only the start */
};

/* Context: inside the hit's callback. */
void value_fetch(const struct fetch *f, const struct live_hit *hit,
		 struct value *out);

#endif /* SIM_CMD_VALUE_H */

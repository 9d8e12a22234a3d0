// SPDX-License-Identifier: GPL-2.0-only
/*
 * bare.scenario.c - accesses that are nobody else's business, in a row.
 */
#include "bare.h"

static volatile int word;

void bare_accesses(void *unused)
{
	bare_begins();
	for (int i = 0; i < BARE_CALLS; i++)
		(void)word;
	bare_ends();
}

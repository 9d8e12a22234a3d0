// SPDX-License-Identifier: GPL-2.0-only
/*
 * left_out.c - functions that match a pattern and are not probed, and why.
 */
#include "left_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

#define REASONS 5 /* shown at most */
#define NAMES 4	  /* of each */

void left_out_add(struct left_out *l, const char *name, const char *why)
{
	struct left_out_item *bigger;

	if (!(l->nr & (l->nr - 1))) {
		bigger = realloc(l->item,
				 (l->nr ? 2 * l->nr : 1) * sizeof(*bigger));
		if (!bigger)
			return;
		l->item = bigger;
	}
	l->item[l->nr++] = (struct left_out_item){ name, why };
}

/* All with the reason of the first; they are taken out of the list. */
static void tell_reason(struct left_out *l)
{
	unsigned int i, n = 0, kept = 0;
	const char *why = l->item[0].why;
	char names[200] = "";
	size_t len;

	for (i = 0; i < l->nr; i++) {
		if (strcmp(l->item[i].why, why)) {
			l->item[kept++] = l->item[i];
			continue;
		}
		len = strlen(names);
		if (n++ < NAMES)
			snprintf(names + len, sizeof(names) - len, "%s%s",
				 len ? ", " : "", l->item[i].name);
	}
	if (n > NAMES)
		err("  %s and %u more: %s", names, n - NAMES, why);
	else
		err("  %s: %s", names, why);
	l->nr = kept;
}

void left_out_tell(struct left_out *l, const char *spec, unsigned int of,
		   bool forced)
{
	unsigned int i;

	if (l->nr)
		err("note: '%s' %s %u of %u functions%s", spec,
		    forced ? "forces or leaves out" : "leaves out", l->nr, of,
		    forced ? "" : "; name one with -e to be told more");
	for (i = 0; i < REASONS && l->nr; i++)
		tell_reason(l);
	if (l->nr)
		err("  %u more, for other reasons", l->nr);
	free(l->item);
	*l = (struct left_out){ 0 };
}

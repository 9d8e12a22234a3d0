// SPDX-License-Identifier: GPL-2.0-only
/*
 * match.c - functions by a pattern, and all names of one.
 */
#include <stdlib.h>
#include <string.h>

#include "elf_file.h"

bool symbols_is_pattern(const char *name)
{
	return strpbrk(name, "*?");
}

/* After a * that failed one letter more is given to it, and tried again. */
static bool matches(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = name;
		} else if (*pattern == *name || *pattern == '?') {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

int elf_plainer(const char *a, const char *b)
{
	size_t na = strspn(a, "_"), nb = strspn(b, "_");

	if (na != nb)
		return na < nb ? -1 : 1;
	return strcmp(a, b);
}

static int by_place(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return elf_plainer(x->name, y->name);
}

struct symbol *symbols_match(struct symbols *s, const char *pattern,
			     unsigned int *nr)
{
	struct symbol *found = malloc((s->nr + 1) * sizeof(*found));
	unsigned int i, n = 0, kept = 0;

	if (!found)
		return NULL;
	for (i = 0; i < s->nr; i++)
		if (s->sym[i].code && s->sym[i].func &&
		    matches(pattern, s->sym[i].name))
			found[n++] = s->sym[i];
	qsort(found, n, sizeof(*found), by_place);
	for (i = 0; i < n; i++)
		if (!kept || found[kept - 1].offset != found[i].offset)
			found[kept++] = found[i];
	*nr = kept;
	return found;
}

const char *symbols_name(struct symbols *s, unsigned long offset,
			 unsigned int *from)
{
	const struct symbol *sym;

	while (*from < s->nr) {
		sym = &s->sym[(*from)++];
		if (sym->code && sym->offset == offset)
			return sym->name;
	}
	return NULL;
}

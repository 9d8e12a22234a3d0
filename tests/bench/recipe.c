// SPDX-License-Identifier: GPL-2.0-only
/*
 * recipe.c - a tracer's calls as words, and back.
 */
#include "recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[RECIPE_NR] = {
#define X(name, word) [RECIPE_##name] = word,
	RECIPE_CALLS(X)
#undef X
};

const char *recipe_text(const struct recipe *r, char *to, size_t size)
{
	size_t used = 0;
	unsigned int i;

	*to = '\0';
	for (i = 0; i < r->nr && used < size; i++) {
		const struct recipe_call *c = &r->call[i];

		used += snprintf(to + used, size - used, "%s%s", i ? " " : "",
				 words[c->kind]);
		if (c->arg && used < size)
			used += snprintf(to + used, size - used, ":%lu",
					 c->arg);
	}
	return to;
}

static int parse_word(const char *word, size_t len, struct recipe_call *c)
{
	size_t name = strcspn(word, ": ");
	unsigned int kind;

	for (kind = 0; kind < RECIPE_NR; kind++) {
		if (strlen(words[kind]) != name ||
		    strncmp(words[kind], word, name))
			continue;
		c->kind = kind;
		c->arg = name < len ? strtoul(word + name + 1, NULL, 10) : 0;
		return 0;
	}
	return -1;
}

int recipe_parse(const char *line, struct recipe *r)
{
	size_t len;

	r->nr = 0;
	for (; *(line += strspn(line, " ")); line += len) {
		len = strcspn(line, " ");
		if (r->nr == sizeof(r->call) / sizeof(*r->call) ||
		    parse_word(line, len, &r->call[r->nr++]))
			return -1;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * variant.c - which of the designs of variant.h the logic is.
 *
 * Not the kernel's: there, it is a question of the release.
 */
#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <sim/entry.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

/* The first is the default. Rows stand for the first release that has them. */
static const struct uprobe_variant releases[] = {
	{ "6.18", &uprobe_signals_flag, &ri_storage_pool,
	  &uprobe_optimize_nop5 },
	{ "7.2", &uprobe_signals_flag, &ri_storage_pool,
	  &uprobe_optimize_nop10 },
	{ "6.17", &uprobe_signals_flag, &ri_storage_pool,
	  &uprobe_optimize_none },
	{ "6.16", &uprobe_signals_flag, &ri_storage_pool,
	  &uprobe_optimize_none },
	{ "6.15", &uprobe_signals_flag, &ri_storage_pool,
	  &uprobe_optimize_none },
	{ "6.14", &uprobe_signals_siglock, &ri_storage_pool,
	  &uprobe_optimize_none },
	{ "6.13", &uprobe_signals_siglock, &ri_storage_kmalloc,
	  &uprobe_optimize_none },
};

static unsigned int chosen;

__no_sanitize_thread const struct uprobe_variant *uprobe_variant(void)
{
	return &releases[chosen];
}

/* The word, up to its end or a comma, is axis followed by row. */
static bool is(const char *word, const char *axis, const char *row)
{
	while (*axis && *word == *axis)
		word++, axis++;
	while (!*axis && *row && *word == *row)
		word++, row++;
	return !*axis && !*row && (!*word || *word == ',');
}

static bool has(const struct uprobe_variant *v, const char *word)
{
	return is(word, "", v->release) ||
	       is(word, "signals=", v->signals->name) ||
	       is(word, "storage=", v->storage->name) ||
	       is(word, "optimize=", v->optimize->name);
}

/* The next word of a list, or NULL. */
static const char *next(const char *word)
{
	while (*word && *word != ',')
		word++;
	return *word ? word + 1 : NULL;
}

static bool has_all(const struct uprobe_variant *v, const char *words)
{
	for (; words; words = next(words)) {
		if (!has(v, words))
			return false;
	}
	return true;
}

static bool is_known(const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(releases); i++) {
		if (has(&releases[i], word))
			return true;
	}
	return false;
}

const char *sim_variant_set(const char *name)
{
	const char *word;
	unsigned int i;

	if (!no_uprobe_events())
		return "the design is fixed, since there are probes already";
	for (i = 0; i < ARRAY_SIZE(releases); i++) {
		if (has_all(&releases[i], name)) {
			chosen = i;
			return NULL;
		}
	}
	for (word = name; word; word = next(word)) {
		if (!is_known(word))
			return "variants are 6.13 to 6.18, or 7.2, or one or "
			       "more of "
			       "signals=siglock, signals=flag, "
			       "storage=kmalloc, storage=pool, "
			       "optimize=none, optimize=nop5, optimize=nop10, "
			       "with commas";
	}
	return "no release had these together: storage=pool is from 6.14 on, "
	       "signals=flag from 6.15 on, optimize=nop5 in 6.18, "
	       "optimize=nop10 in 7.2";
}

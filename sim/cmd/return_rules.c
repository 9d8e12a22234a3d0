// SPDX-License-Identifier: GPL-2.0-only
/*
 * return_rules.c - functions that a replaced return address breaks.
 */
#include "return_rules.h"

#include <stddef.h>
#include <string.h>

static const char twice[] = "it returns twice, the second time from a frame "
			    "that is gone";
static const char caller[] = "it acts by who calls it, and would see the "
			     "return address that we put there";

static const char nobody[] = "it is returned into, not called, and has no "
			     "return address on top of its stack";

/* One name for each: others of the same function are found by its place. */
static const struct return_rule rules[] = {
	{ "setjmp", twice },	       { "_setjmp", twice },
	{ "__sigsetjmp", twice },      { "vfork", twice },
	{ "getcontext", twice },       { "swapcontext", twice },
	{ "dlopen", caller },	       { "dlmopen", caller },
	{ "dlsym", caller },	       { "dlvsym", caller },
	{ "dl_iterate_phdr", caller }, { "mcount", caller },
	{ "__fentry__", caller },      { "__start_context", nobody },
};

const struct return_rule *return_rules(unsigned int *nr)
{
	*nr = sizeof(rules) / sizeof(*rules);
	return rules;
}

const char *return_rule(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(rules[i].name, name))
			return rules[i].why;
	return NULL;
}

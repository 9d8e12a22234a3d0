// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_variant.c - names of designs: what they stand for, what never was.
 */
#include <linux/string.h>
#include "fixture.h"

static bool is(const char *name, const char *signals, const char *storage)
{
	return !sim_variant_set(name) && design(signals) && design(storage) &&
	       design(strcmp(name, "6.18") ? "none" : "nop5");
}

void case_variant_names(void)
{
	struct counter c = {};

	BUG_ON(!is("6.13", "siglock", "kmalloc"));
	BUG_ON(!is("6.14", "siglock", "pool"));
	BUG_ON(!is("6.15", "flag", "pool"));
	BUG_ON(!is("6.17", "flag", "pool"));
	BUG_ON(!is("6.18", "flag", "pool"));
	BUG_ON(!is("signals=siglock", "siglock", "pool"));
	BUG_ON(!is("storage=kmalloc", "siglock", "kmalloc"));
	BUG_ON(!is("storage=pool,signals=siglock", "siglock", "pool"));
	BUG_ON(!is("6.13,storage=kmalloc", "siglock", "kmalloc"));

	/* Refused, and the choice is as it was. */
	BUG_ON(!sim_variant_set("storage=kmalloc,signals=flag"));
	BUG_ON(!sim_variant_set("optimize=nop5,signals=siglock"));
	BUG_ON(!sim_variant_set("6.17,optimize=nop5"));
	BUG_ON(!sim_variant_set("6.13,6.14"));
	BUG_ON(!sim_variant_set("6.1"));
	BUG_ON(!sim_variant_set("6.133"));
	BUG_ON(!sim_variant_set(""));
	BUG_ON(!sim_variant_set("6.13,"));
	BUG_ON(!sim_variant_set("storage=poo"));
	BUG_ON(!sim_variant_set("storage=flag"));
	BUG_ON(!design("siglock") || !design("kmalloc"));

	fixture();
	add(&c, F, ENTRY);
	BUG_ON(!sim_variant_set("6.18"));
	BUG_ON(!design("siglock") || !design("kmalloc"));
}

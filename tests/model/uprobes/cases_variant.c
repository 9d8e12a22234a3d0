// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_variant.c - names of designs: what they stand for, what never was.
 */
#include <linux/string.h>
#include "fixture.h"

static bool is(const char *name, const char *signals, const char *storage)
{
	return !sim_variant_set(name) && design(signals) && design(storage);
}

void case_variant_names(void)
{
	struct counter c = {};

	BUG_ON(!is("6.13", "siglock", "kmalloc") || !design("none"));
	BUG_ON(!is("6.14", "siglock", "pool") || !design("none"));
	BUG_ON(!is("6.15", "flag", "pool") || !design("none"));
	BUG_ON(!is("6.17", "flag", "pool") || !design("none"));
	BUG_ON(!is("6.18", "flag", "pool") || !design("nop5"));
	BUG_ON(!is("7.2", "flag", "pool") || !design("nop10"));
	BUG_ON(!is("optimize=none", "flag", "pool") || !design("none"));
	BUG_ON(!is("optimize=nop10", "flag", "pool") || !design("nop10"));
	BUG_ON(!is("signals=flag", "flag", "pool") || !design("nop5"));
	BUG_ON(!is("signals=siglock", "siglock", "pool"));
	BUG_ON(!is("storage=kmalloc", "siglock", "kmalloc"));
	BUG_ON(!is("storage=pool,signals=siglock", "siglock", "pool"));
	BUG_ON(!is("6.13,storage=kmalloc", "siglock", "kmalloc"));

	/* Refused, and the choice is as it was. */
	BUG_ON(!sim_variant_set("storage=kmalloc,signals=flag"));
	BUG_ON(!sim_variant_set("optimize=nop5,signals=siglock"));
	BUG_ON(!sim_variant_set("6.17,optimize=nop5"));
	BUG_ON(!sim_variant_set("6.18,optimize=nop10"));
	BUG_ON(!sim_variant_set("optimize=nop1"));
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

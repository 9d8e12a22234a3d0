// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdict.c - names and sentences of verdicts, from the one list in arch.h.
 */
#include "arch.h"

#define X(name, text) #name,
static const char *const names[] = { ARCH_VERDICTS(X) };
#undef X

#define X(name, text) text,
static const char *const texts[] = { ARCH_VERDICTS(X) };
#undef X

const char *arch_verdict_name(enum arch_verdict v)
{
	return v < ARCH_NR_VERDICTS ? names[v] : "?";
}

const char *arch_verdict_text(enum arch_verdict v)
{
	return v < ARCH_NR_VERDICTS ? texts[v] : "not a verdict";
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * As in unordered-insn: a thread runs into a breakpoint while a probe is registered at
 * its place. What differs is the mistake; see story.md.
 */
#include <trapline/scenario.h>

#include "../unordered-insn/scenario.c"

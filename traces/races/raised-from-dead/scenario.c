// SPDX-License-Identifier: GPL-2.0-only
/*
 * As in orphan-probe: one consumer leaves, another comes, the program runs into the
 * probe. What differs is the mistake; see story.md.
 */
#include <trapline/scenario.h>

#include "../orphan-probe/scenario.c"

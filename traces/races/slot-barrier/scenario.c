// SPDX-License-Identifier: GPL-2.0-only
/*
 * As in slot-wakeup: two threads, one slot. What differs is the memory model under
 * which it matters; see story.md.
 */
#include <trapline/scenario.h>

#include "../slot-wakeup/scenario.c"

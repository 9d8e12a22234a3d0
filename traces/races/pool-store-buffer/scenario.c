// SPDX-License-Identifier: GPL-2.0-only
/*
 * As in pool-reuse: f and then g are called while the timer may fire. What differs
 * is the memory model: the timer's stores may be late; see story.md.
 */
#include <trapline/scenario.h>

#include "../pool-reuse/scenario.c"

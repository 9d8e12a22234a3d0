/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/jiffies.h - time in ticks of a millisecond, from the world.
 *
 * Context: any. Sleeps: no. Scheduling point: no.
 */
#ifndef LINUX_JIFFIES_H
#define LINUX_JIFFIES_H

#include <sim/world.h>

#define HZ 1000
#define jiffies sim_jiffies()
#define msecs_to_jiffies(m) ((unsigned long)(m))
#define jiffies_to_msecs(j) ((unsigned int)(j))
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)

#endif /* LINUX_JIFFIES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/bug.h - assertions.
 *
 * BUG ends the run through sim_bug: a counterexample when exploring. WARN is a
 * finding, too; the _ONCE forms warn every time, as a run must not depend on the
 * runs before it. Leaves out taints and modules' bug tables.
 *
 * Context: any. Locks: none. Sleeps: no. Scheduling point: no.
 */
#ifndef LINUX_BUG_H
#define LINUX_BUG_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/printk.h>
#include <linux/types.h>
#include <sim/world.h>

#define BUG() sim_bug("BUG", __FILE__, __LINE__)
#define BUG_ON(cond)                                        \
	do {                                                \
		if (unlikely(cond))                         \
			sim_bug(#cond, __FILE__, __LINE__); \
	} while (0)

static __always_inline bool sim_warn_on(bool cond, const char *what,
					const char *file, int line)
{
	if (unlikely(cond))
		sim_warn(what, file, line);
	return cond;
}

#define WARN_ON(cond) sim_warn_on(!!(cond), #cond, __FILE__, __LINE__)
#define WARN_ON_ONCE(cond) WARN_ON(cond)

#define WARN(cond, fmt...)                    \
	({                                    \
		bool sim_bad = WARN_ON(cond); \
		if (sim_bad)                  \
			sim_printk(fmt);      \
		sim_bad;                      \
	})
#define WARN_ONCE(cond, fmt...) WARN(cond, fmt)

#endif /* LINUX_BUG_H */

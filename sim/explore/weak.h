/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * weak.h - the schedule of a violation that needs weaker memory than sc.
 */
#ifndef SIM_EXPLORE_WEAK_H
#define SIM_EXPLORE_WEAK_H

struct explore_result;
struct sched;

/*
 * Fill the body of *s with lines that repeat r: who runs until where, what is read
 * that is not the latest write, and which write comes before an earlier one. Returns
 * 0, -ENOMEM, or -ESRCH if lines cannot say it.
 */
int weak_derive(const struct explore_result *r, struct sched *s);

#endif /* SIM_EXPLORE_WEAK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shrink.h - a schedule without what its failure does not need.
 */
#ifndef SIM_EXPLORE_SHRINK_H
#define SIM_EXPLORE_SHRINK_H

#include "explore.h"

struct sched;

/*
 * Take from *s what can go: afterwards it still fails as `like` does (the same
 * finding at the same place), and would not, or could not be followed, without
 * any single line, or if any single preemption were left out. Follows *s many
 * times, so names of an earlier run's objects are no longer good.
 */
void shrink(struct sched *s, const struct explore_result *like);

/* Of all kinds. */
size_t shrink_lines(const struct sched *s);

/* How many lines stop a thread that could go on. */
size_t shrink_preemptions(const struct sched *s);

#endif /* SIM_EXPLORE_SHRINK_H */

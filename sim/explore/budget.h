/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * budget.h - how long to search, as users write it.
 */
#ifndef SIM_EXPLORE_BUDGET_H
#define SIM_EXPLORE_BUDGET_H

#include "explore.h"

/* "60s", "5m", "1h": a time; "1e6": executions. False if it is neither. */
bool budget_parse(const char *text, struct explore_options *search);

#endif /* SIM_EXPLORE_BUDGET_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * budget.c - how long to search, as users write it.
 */
#include "budget.h"

#include <stdlib.h>
#include <string.h>

bool budget_parse(const char *text, struct explore_options *search)
{
	char *end;
	double n = strtod(text, &end);

	if (end == text || !(n > 0) || n > 1e18)
		return false;
	if (!*end)
		return (search->max_executions = n) > 0;
	if (end[1] || !strchr("smh", *end))
		return false;
	search->max_seconds = *end == 's' ? n : *end == 'm' ? 60 * n : 3600 * n;
	return true;
}

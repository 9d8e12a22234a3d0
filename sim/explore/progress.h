/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - how far a search has come, on stderr.
 */
#ifndef SIM_EXPLORE_PROGRESS_H
#define SIM_EXPLORE_PROGRESS_H

#include "explore.h"

enum progress {
	PROGRESS_AUTO,	/* one line that is overwritten, on a terminal only */
	PROGRESS_PLAIN, /* a line every second */
	PROGRESS_NONE
};

/* Show it, if that was long enough ago. */
void progress_show(enum progress how, const struct explore_result *sofar);
/* Nothing is left of it on a terminal. */
void progress_end(enum progress how);

#endif /* SIM_EXPLORE_PROGRESS_H */

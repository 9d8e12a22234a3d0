/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * repair.h - put a process right that a killed trapline has left behind.
 */
#ifndef SIM_LIVE_REPAIR_H
#define SIM_LIVE_REPAIR_H

#include <stdbool.h>
#include <sys/types.h>

struct live_repaired {
	unsigned int breakpoints, returns; /* that were still there */
	unsigned int counters;		   /* reference counters set right */
	unsigned int moved;		   /* threads taken out of slots */
	unsigned int lost;		   /* threads that could not be */
	bool incomplete; /* there was more than was recorded */
	pid_t tracer;	 /* of -EBUSY: who traces it */
};

/*
 * Stops all threads for a moment. Not thread-safe.
 * 0, or -ENOENT (nothing was recorded of this process), -ESRCH (there is no such
 * process), -EBUSY (it is traced), or another negative errno. Nothing has been
 * changed then.
 */
int live_repair(pid_t pid, struct live_repaired *out);

#endif /* SIM_LIVE_REPAIR_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - what we have done to a process, kept where it outlives us.
 *
 * A process that we attached to lives on if we are killed, with our breakpoints
 * and return addresses in it. So they stand in a piece of shared memory, too,
 * named after the process, from just before they are written until just after
 * they are gone. A launched program dies with us and needs none.
 */
#ifndef SIM_LIVE_RECORD_H
#define SIM_LIVE_RECORD_H

#include <stdbool.h>
#include <sys/types.h>

#include "arch.h"

#define RECORD_RETURNS 64 /* the model's limit of nested calls */
#define RECORD_TASKS 4096
#define RECORD_COUNTERS 8192
#define RECORD_PATCHES (1u << 18)

struct record_patch {
	unsigned long addr;
	unsigned char orig[4];
};

/* A reference counter, and how much of it is ours. */
struct record_counter {
	unsigned long addr;
	unsigned short ours;
};

struct record_return {
	unsigned long slot, orig;
};

struct record_task {
	pid_t tid; /* 0: free */
	/* A copied instruction is run; what the task was before. */
	unsigned long in_slot; /* 0: none */
	struct pt_regs before;
	unsigned long mask;
	unsigned int nr_returns;
	struct record_return ret[RECORD_RETURNS];
};

/* Most of it is never touched, and takes no memory. */
struct record {
	char magic[16];
	pid_t pid, tracer;
	unsigned long started; /* when the process was */
	unsigned long xol, xol_size;
	bool xol_borrowed; /* it was zeros */
	bool overflow;	   /* not all is here */
	unsigned char bp[4];
	unsigned int bp_len;
	unsigned int nr_tasks, nr_counters, nr_patches;
	struct record_task task[RECORD_TASKS];
	struct record_counter counter[RECORD_COUNTERS];
	struct record_patch patch[RECORD_PATCHES];
};

/*
 * Create that of pid, and remove those of processes that have ended. 0, or
 * -EEXIST: somebody has been killed, or is at it.
 */
int record_open(pid_t pid, struct record **out);
/* Open what was left; NULL with errno set. ESTALE: of another process. */
struct record *record_find(pid_t pid);
/* It is of no use any more. */
void record_remove(struct record *r);

#endif /* SIM_LIVE_RECORD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fixture.h - what every case starts from: one file, one mm, up to two tasks.
 */
#ifndef TESTS_MODEL_UPROBES_FIXTURE_H
#define TESTS_MODEL_UPROBES_FIXTURE_H

#include <linux/bug.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <sim/entry.h>
#include <trapline/user.h>
#include "cases.h"
#include "uprobes/uprobes.h"
#include "world_plain.h"

/* The text: offsets are addresses behind USER_TEXT. */
#define F 0 /* USER_INC */
#define G 1 /* USER_NOP */
#define H 2 /* USER_INC */
#define REFUSED 8
#define FOREIGN 9 /* a breakpoint of the program's own */
#define WIDE 10	  /* USER_NOP2 */
#define WIDER 12  /* USER_NOP4 */
#define CALLER (USER_TEXT + 16)

extern struct inode *file;
extern struct mm_struct *mm;
extern struct task_struct *task[2];

/* File, mm and tasks; the running thread becomes task[0]. */
void fixture(void);

/* A consumer that counts, on request in a filter or with return codes. */
struct counter {
	struct uprobe_consumer uc;
	struct uprobe *uprobe;
	loff_t ref_ctr_offset; /* to be registered with */
	int entries, returns;
	unsigned long func; /* the last one that returned */
	int rc;		    /* of the handler */
	bool refuse;	    /* by the filter */
	u64 cookie;	    /* given by the handler */
	u64 seen;	    /* by ret_handler */
	int order;	    /* when its ret_handler ran, from the last reset */
};

extern int order; /* counts return handlers */

enum { ENTRY = 1, RETURN = 2, FILTER = 4 };

/* Register at an offset; BUG on failure. del also synchronizes. */
void add(struct counter *c, unsigned long offset, int what);
void del(struct counter *c);
/* Without registering: the errors are the caller's business. */
struct uprobe *try_add(struct counter *c, unsigned long offset, int what);

bool breakpoint_at(unsigned long offset);
struct return_instance *innermost(void);
/* ri_timer fires, callbacks and work run. */
void settle(void);
/* Is this row chosen, as in "pool"? A name belongs to one axis only. */
bool design(const char *row);
/* Every slot but the trampoline's is free, nobody steps. */
void check_idle(void);

#endif /* TESTS_MODEL_UPROBES_FIXTURE_H */

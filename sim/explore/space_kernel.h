/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * space_kernel.h - what the in-memory machine keeps of an mm and of a task.
 *
 * Private to machine.c and copy.c, kernel-side and instrumented like them.
 */
#ifndef SIM_EXPLORE_SPACE_KERNEL_H
#define SIM_EXPLORE_SPACE_KERNEL_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <sim/entry.h>
#include <trapline/user.h>
#include "toy.h"

/* Where the XOL page of an mm is if nothing else is asked for: in a child elsewhere. */
#define USER_XOL(generation) (0x700000ul + (generation)*PAGE_SIZE)
#define USER_XOL_PAGES 16
#define USER_STACKS 0x800000ul
#define STACK_BYTES (USER_STACK_WORDS * sizeof(unsigned long))
#define XOL_SLOTS (PAGE_SIZE / TOY_SLOT_BYTES)
#define XOL_SLOT_USED 4 /* bytes of a slot that are ever written */

/* What sim_priv of an mm is. */
struct user_space {
	unsigned char text[USER_TEXT_BYTES];
	unsigned char xol[XOL_SLOTS][XOL_SLOT_USED];
	unsigned long stack[USER_MAX_TASKS][USER_STACK_WORDS];
	unsigned short counter[USER_COUNTERS];
	int tasks;
	unsigned int text_bytes; /* that the file has */
	unsigned int codes;	 /* pages of code for optimised probes */
	unsigned int code_drop;	 /* words that their return drops */
	bool wide;		 /* some instructions of the program are */
	unsigned long xol_addr;	 /* 0: not mapped */
	bool text_locked;
	bool text_moved; /* the next write to it meets another page */
	bool tear;	 /* the next store to a stack */

	unsigned int generation;	  /* 0: not made by fork */
	unsigned long no_copy;		  /* the page here cannot be copied */
	bool lacks_data;		  /* a copy that did not get so far */
	struct user_space *copies, *next; /* who comes by one late needs it */
};

/* What sim_priv of a task is. Written by its own thread, but for fatal. */
struct user {
	struct pt_regs regs;
	struct user_log log;
	void (*in_slot)(void);
	int fault;   /* raised by the next slot */
	int handles; /* signal with a handler */
	bool fatal;
	bool lowered; /* between USER_LOWER and the call */
	bool new;     /* made by fork, has not run yet */
};

static inline struct user *this_user(void)
{
	return sim_task_priv(current);
}

#endif /* SIM_EXPLORE_SPACE_KERNEL_H */

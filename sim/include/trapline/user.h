/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trapline/user.h - user mode as scenario code.
 *
 * A scenario thread plays a user thread: user_begin says which task it is, then
 * user_hit, user_call and user_return do what the program does. Text, stacks
 * and XOL pages are ordinary memory of the scenario, so every access of kernel
 * and program to them is seen by the explorer. There is no CPU: a program is
 * instructions of one byte or more (enum user_insn) at addresses of the scenario's
 * choice. A thread that executes one of more may have fetched its bytes in any
 * order; a mix of old and new that no program ever had fails the scenario.
 *
 * Set-up functions (user_file, user_mm, user_task, user_limit_slots, user_poke,
 * user_no_copy) run in
 * SCENARIO_SETUP and BUG when out of memory. All others run in a thread, after
 * user_begin, and may sleep.
 */
#ifndef TRAPLINE_USER_H
#define TRAPLINE_USER_H

#include <stdbool.h>

struct inode;
struct mm_struct;
struct task_struct;

/* ---- the toy instruction set ---------------------------------------------- */

enum user_insn {
	USER_INC = 0x40,   /* ax += 1; runs in a slot under a probe */
	USER_NOP = 0x90,   /* emulated under a probe */
	USER_CALL = 0xe8,  /* to the next one; in a slot, and then put right */
	USER_NOP2 = 0x66,  /* of two bytes, the second 0: may become ... */
	USER_CALL2 = 0xea, /* such a call, made by the kernel; two bytes */
	USER_NOP4 = 0x67,  /* of four, the second 0, then any: may become ... */
	USER_LOWER = 0x8d, /* sp down over the red zone, and then that call */
	USER_BP = 0xcc,	   /* the breakpoint */
	USER_HLT = 0xf4,   /* probing it is refused */
};

#define USER_TEXT 0x400000ul	/* where user_mm maps the file */
#define USER_TEXT_BYTES 64	/* of text, at most */
#define USER_DATA 0x500000ul	/* where user_map_data maps it */
#define USER_DATA_OFFSET 0x1000 /* in the file, of the data */
#define USER_COUNTERS 4		/* 16-bit reference counters, all of the data */
#define USER_STACK_WORDS 160
#define USER_RED_WORDS 16 /* below sp, which a leaf function may use */
#define USER_MAX_TASKS 8  /* per mm */

/* ---- set-up ---------------------------------------------------------------- */

/* A file whose first n bytes (at most USER_TEXT_BYTES) are text. */
struct inode *user_file(const unsigned char *text, unsigned int n);
/* A new address space that maps file at USER_TEXT, private and executable. */
struct mm_struct *user_mm(struct inode *file);
/*
 * Map the file's data at USER_DATA, private and writable: reference counters,
 * number n at file offset USER_DATA_OFFSET + 2 * n. In a thread, too.
 */
void user_map_data(struct mm_struct *mm, struct inode *file);
/* While it is locked, text cannot be written: -ENOMEM, as for lack of a page. */
void user_lock_text(struct mm_struct *mm, bool locked);
/* fork of the mm fails at the mapping that has addr, for lack of memory. */
void user_no_copy(struct mm_struct *mm, unsigned long addr);
/* Put a byte of text there, as a debugger does. */
void user_poke(struct mm_struct *mm, unsigned long addr, unsigned char byte);
/*
 * The page of text is replaced: whoever is about to write to it has to look again,
 * once. In a thread.
 */
void user_move_text(struct mm_struct *mm);
/* The kernel's next store to a stack faults when half of it is written, as at a page's end. */
void user_tear_store(struct mm_struct *mm);
/* A new task with an empty stack of its own; pid is its tgid, too. */
struct task_struct *user_task(struct mm_struct *mm, int pid);
/* Make the XOL area now; only slots 0..n-1 exist. Slot 0 is the trampoline. */
void user_limit_slots(struct mm_struct *mm, unsigned int n);

/* ---- a thread of the program ------------------------------------------------ */

/* Supplied by the world: what `current` is in the running thread. */
void sim_set_current(struct task_struct *task);

/* The running thread is this task from here on. */
void user_begin(struct task_struct *task);
/*
 * fork (flags 0), vfork (CLONE_VM | CLONE_VFORK) or clone (CLONE_VM, with a stack of
 * its own) of the running task. The child is played by whatever thread begins it next:
 * after vfork this one, before it goes on as the parent. NULL: it failed.
 */
struct task_struct *user_fork(unsigned int flags, int pid);
/* The task exits; the thread may still end its function. */
void user_exit(void);

/*
 * Execute the instruction at addr until it has completed: a breakpoint traps,
 * the kernel handles it, a slot is run if the kernel says so. False: the task
 * was killed, by a signal that the kernel forced on it or a fatal one.
 */
bool user_hit(unsigned long addr);
/*
 * As user_hit, but one instruction or trap: also false if the kernel says that it was
 * in vain. After USER_LOWER the task is in front of the call.
 */
bool user_try(unsigned long addr);
/* Push ret, then execute the first instruction of the function at func. */
bool user_call(unsigned long func, unsigned long ret);
/* Return through what is on the stack; the address where that leads to. */
unsigned long user_return(void);
/* sp of the task now; and leave frames without returning (longjmp). */
unsigned long user_sp(void);
void user_longjmp(unsigned long sp);
/* What a leaf function does: the n-th word below sp, from 1, is kept for it. */
void user_keep(unsigned int n, unsigned long word);
unsigned long user_kept(unsigned int n);
/*
 * Call fn, once, when the running task is next about to execute a slot, or to
 * make the system call of an optimised probe.
 */
void user_in_slot(void (*fn)(void));
/*
 * The next slot that the running task executes faults with sig, once. The
 * program has a handler for sig, which mends the cause.
 */
void user_fault(int sig);
/* Detach the probe logic from the task, as at the end of a live trace. */
void user_detach(void);

/* Make a signal pending for a task; fatal ones also end its wait for a slot. */
void user_signal(struct task_struct *task, bool fatal);

/* ---- what happened to a task -------------------------------------------------- */

struct user_log {
	unsigned long ax;	 /* how many USER_INC it executed */
	unsigned int steps;	 /* slots run to completion */
	unsigned int signals;	 /* times that signals were delivered */
	unsigned long signal_ip; /* where, the last time */
	int killed;		 /* by this signal, or 0 */
};

/* Valid as long as the task; of another task: in the check only. */
const struct user_log *user_log(struct task_struct *task);
/* Reference counter number n, as the program sees it. */
unsigned short user_counter(struct mm_struct *mm, unsigned int n);
/* The byte of text at addr, as a debugger sees it. */
unsigned char user_text(struct mm_struct *mm, unsigned long addr);

#endif /* TRAPLINE_USER_H */

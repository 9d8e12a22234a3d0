/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/entry.h - how a world enters and leaves the kernel side of a task.
 *
 * Basic types only: used by libc-side files of the worlds. Implemented in
 * model/linux/core/ and linux/entry.h over the kernel-named code; a world
 * delivers traps and puts tasks back into user mode, it decides nothing.
 * All functions run on the task's fibre (sim_current() is that task).
 */
#ifndef SIM_ENTRY_H
#define SIM_ENTRY_H

#include <stdbool.h>

struct arch_insn;
struct arch_ops;
struct inode;
struct mm_struct;
struct pt_regs;
struct task_struct;

/* ---- tasks and address spaces ------------------------------------------ */

/* One reference each; priv is the world's own handle. NULL: out of memory. */
struct mm_struct *sim_mm_new(const struct arch_ops *arch, void *priv);
void sim_mm_put(struct mm_struct *mm);
void *sim_mm_priv(struct mm_struct *mm);
const struct arch_ops *sim_mm_arch(struct mm_struct *mm);

struct task_struct *sim_task_new(struct mm_struct *mm, int pid, int tgid,
				 void *priv);
/*
 * fork, vfork or clone of the current task; flags are CLONE_*. Without CLONE_VM the
 * child's mm is a copy, and mm_priv its handle. The child goes to user mode through
 * sim_user_resume, on a fibre of its own. NULL and in *err: -ENOMEM, -EINTR (killed).
 * Somebody may hold the copy a little longer, even then. May sleep.
 */
struct task_struct *sim_task_fork(unsigned int flags, int pid, int tgid,
				  void *priv, void *mm_priv, int *err);
/* Exit or exec of the task: ends its probe state. May sleep. */
void sim_task_exit(struct task_struct *task);
void sim_task_free(struct task_struct *task);
void *sim_task_priv(struct task_struct *task);
struct mm_struct *sim_task_mm(struct task_struct *task);

/* A file that can be probed; size in bytes. read fills from the page cache. */
struct inode *sim_inode_new(void *priv, unsigned long size,
			    int (*read)(void *priv, unsigned long off, void *to,
					unsigned long n));
void sim_inode_put(struct inode *inode);

/*
 * A file mapping appeared or went; kernel's mmap and munmap hooks. flags are
 * SIM_VM_*. Breakpoints of registered probes are written by sim_vma_add.
 */
#define SIM_VM_READ 1u
#define SIM_VM_WRITE 2u
#define SIM_VM_EXEC 4u
#define SIM_VM_SHARED 8u
int sim_vma_add(struct mm_struct *mm, struct inode *inode, unsigned long start,
		unsigned long end, unsigned long file_off, unsigned int flags);
void sim_vma_del(struct mm_struct *mm, unsigned long start, unsigned long end);

/* ---- traps --------------------------------------------------------------- */

enum sim_trap {
	SIM_TRAP_BREAKPOINT, /* ip as the hardware left it */
	SIM_TRAP_STEP,	     /* the slot's instruction completed */
	SIM_TRAP_FAULT,	 /* synchronous signal `sig`, ip in the slot or not */
	SIM_TRAP_SIGNAL, /* a signal became pending; sig may be 0 */
};

/*
 * The task entered the kernel by `trap`. regs are its registers and may be
 * changed. Returns true if the probe logic claimed the trap; false: it is the
 * program's own. Then call sim_user_resume.
 */
bool sim_user_trap(enum sim_trap trap, int sig, struct pt_regs *regs);

/*
 * The task made the system call `uprobe`, ip behind its instruction. Its result;
 * regs are what it goes on with. Then call sim_user_resume. May sleep.
 */
long sim_user_uprobe(struct pt_regs *regs);

/* What the world has to do to put the task into user mode. */
struct sim_resume {
	bool step;		      /* run the slot at regs.ip first */
	const struct arch_insn *insn; /* of the step */
	unsigned long vaddr;	      /* probed address of the step */
	bool signals;		      /* pending signals may be delivered now */
	int force_sig;	 /* deliver this one (SIGTRAP, SIGILL, ..)*/
	bool trace_trap; /* deliver the SIGTRAP of a program that steps itself */
};

/* The loop on the way back to user mode. May sleep. */
void sim_user_resume(struct pt_regs *regs, struct sim_resume *out);

/*
 * Detach: the task leaves the step it is in (abort, slot freed), its return
 * addresses are restored, its instances dropped. regs as in sim_user_trap.
 */
void sim_user_detach(struct pt_regs *regs);

/*
 * Original bytes and return addresses for unwinders and for forked children.
 * next walks the pending return instances of `task`, innermost first; returns
 * false at the end. *cursor starts as NULL. slot is the word that has the return
 * address; behind a link register, the topmost of the frame: the address is in
 * it or further in, where the world has to look for it. All that is said below
 * of words holds for those that the model knows.
 */
bool sim_ret_next(struct task_struct *task, void **cursor, unsigned long *slot,
		  unsigned long *orig);

/*
 * Does the current task follow as many returns as it can? Then that of the next
 * function that it enters is not followed. Of an entry handler: that of its own.
 */
bool sim_ret_full(void);

/*
 * The program's own unwinder is about to read the running task's stack: its
 * return addresses become the true ones. Returns the number of instances.
 */
unsigned int sim_ret_reveal(void);
/*
 * Revealed ones in [from, to) are of frames that were left: they are forgotten,
 * innermost first, `left` is called for each with its function.
 */
void sim_ret_forget(unsigned long from, unsigned long to,
		    void (*left)(unsigned long func));
/* All returns but the `except` outermost come to us again. */
void sim_ret_hide(unsigned int except);

/* ---- designs ---------------------------------------------------------------- */

/*
 * Which design the logic is, where kernels differ: a release ("6.13" to "6.18",
 * the default), or rows of axes with commas ("signals=siglock,storage=pool"), of
 * which the newest release that has them all is taken. Before the first probe,
 * in set-up. NULL, or why not: a sentence, constant.
 */
const char *sim_variant_set(const char *name);

/* ---- probes ---------------------------------------------------------------- */

struct sim_probe; /* a registered consumer */

/*
 * Register a probe at (inode, offset) with an entry and/or return handler;
 * arg is passed back. ret_of: probed address of the returning function.
 * ref_ctr_offset: of the 16-bit counter in the file that tells the program how
 * many probes listen, or 0. Negative errno through *err and NULL on failure. May sleep.
 */
struct sim_probe *sim_probe_add(struct inode *inode, unsigned long offset,
				unsigned long ref_ctr_offset,
				void (*entry)(void *arg, struct pt_regs *regs),
				void (*ret)(void *arg, unsigned long func,
					    struct pt_regs *regs),
				void *arg, int *err);
/* Unregister and synchronize. May sleep. */
void sim_probe_del(struct sim_probe *probe);

#endif /* SIM_ENTRY_H */

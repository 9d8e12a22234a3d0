/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uprobes.h - entities of the uprobe logic and what its files ask of each other.
 *
 * Mirrors include/linux/uprobes.h and the private types of
 * kernel/events/uprobes.c, Linux 6.15..6.18 on x86-64, with the breakpoint form
 * of the return trampoline. Left out: the syscall trampoline. The instruction
 * knowledge is struct arch_ops of the mm instead of per-architecture functions.
 *
 * Context, by function ("T": task context, may sleep; "trap": must not sleep):
 *
 *	uprobe_register, uprobe_apply,
 *	uprobe_unregister_nosync			T, takes mmap_lock of mms
 *	uprobe_unregister_sync				T, waits for grace periods
 *	uprobe_mmap					T, mmap_lock for write
 *	uprobe_munmap					T, mmap_lock for write
 *	uprobe_dup_mmap					T, old mmap_lock for write
 *	uprobe_copy_process				T, the parent
 *	uprobe_pre_sstep_notifier, _post_		trap, own task
 *	uprobe_notify_resume				T, own task, on the way
 *							to user mode
 *	uprobe_deny_signal				own task, before signals
 *							are taken
 *	uprobe_free_utask				T, own task or dead one
 *	uprobe_clear_state				T, mm has no user left
 *	put_uprobe					any, also softirq
 */
#ifndef MODEL_UPROBES_UPROBES_H
#define MODEL_UPROBES_UPROBES_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "arch.h"

struct inode;
struct mm_struct;
struct task_struct;
struct vm_area_struct;

#define MAX_URETPROBE_DEPTH 64
#define UPROBE_NO_TRAMPOLINE_VADDR (~0UL)

/* What an entry handler may return. */
#define UPROBE_HANDLER_REMOVE 1 /* this mm is of no interest any more */
#define UPROBE_HANDLER_IGNORE 2 /* no return handler for this call */

/*
 * Somebody who wants to hear about a probe. Owned by the caller, who may free
 * it after uprobe_unregister_sync() only. handler returns 0 or
 * UPROBE_HANDLER_*; with both handlers set the consumer is a "session": data
 * points to a cookie that the pair shares, and ret_handler is called only for
 * calls whose handler ran. filter tells whether it wants this mm (NULL: all);
 * called with mmap_lock held, must not sleep.
 */
struct uprobe_consumer {
	int (*handler)(struct uprobe_consumer *self, struct pt_regs *regs,
		       u64 *data);
	int (*ret_handler)(struct uprobe_consumer *self, unsigned long func,
			   struct pt_regs *regs, u64 *data);
	bool (*filter)(struct uprobe_consumer *self, struct mm_struct *mm);
	struct list_head cons_node;
	u64 id; /* which registration this is; compared by returns */
};

/* Bit numbers of uprobe.flags. */
#define UPROBE_COPY_INSN 0     /* insn is copied and analysed (P1) */
#define UPROBE_CAN_OPTIMIZE 1  /* insn may become a call; before the former */
#define UPROBE_OPTIMIZE_FAIL 2 /* not tried again */

/* A probed place: identity is (inode, offset). */
struct uprobe {
	struct rb_node rb_node; /* uprobes_tree; empty node: not in it */
	refcount_t ref;
	struct rw_semaphore register_rwsem; /* register, unregister */
	struct rw_semaphore consumer_rwsem; /* consumers, insn */
	struct list_head pending_list;	    /* under the mmap hash mutex */
	struct list_head consumers;	    /* tasks-trace RCU */
	struct inode *inode;
	loff_t offset;
	loff_t ref_ctr_offset; /* of the counter in the file, 0: none */
	unsigned long flags;
	union {
		struct rcu_head rcu;
		struct work_struct work;
	};
	struct arch_insn insn;
};

/*
 * What a return instance knows of its uprobe. The owner made it LEASED, under
 * an SRCU section that is still open; whoever moves it away from LEASED closes
 * that section. Only the owning task makes it CONSUMED.
 */
enum hprobe_state {
	HPROBE_LEASED,	 /* protected by the SRCU section srcu_idx */
	HPROBE_STABLE,	 /* holds a reference */
	HPROBE_GONE,	 /* the uprobe died before a reference was got */
	HPROBE_CONSUMED, /* the owner is done with it */
};

struct hprobe {
	enum hprobe_state state;
	int srcu_idx;
	struct uprobe *uprobe;
};

struct return_consumer {
	u64 cookie;
	u64 id;
};

/* A call whose return address is hijacked. */
struct return_instance {
	struct hprobe hprobe;
	unsigned long func;
	unsigned long stack; /* sp at the entry of the function */
	unsigned long orig_ret_vaddr;
	bool chained; /* the address was hijacked by an outer one already */
	int cons_cnt; /* session consumers in the two places below */

	struct return_instance *next; /* towards the caller; pool link */
	struct rcu_head rcu;

	struct return_consumer consumer;	 /* the first */
	struct return_consumer *extra_consumers; /* all further ones */
	/* in the kmalloc design those are behind it */
};

enum uprobe_task_state {
	UTASK_RUNNING,
	UTASK_SSTEP,	     /* user mode runs the slot */
	UTASK_SSTEP_ACK,     /* the slot completed */
	UTASK_SSTEP_TRAPPED, /* the slot faulted or must be left */
};

/* Per task, allocated at its first hit. Only the task itself writes it, apart
 * from ri_timer, which writes ri_seqcount and hprobes in the list. */
struct uprobe_task {
	enum uprobe_task_state state;
	unsigned int depth;
	struct return_instance *return_instances; /* innermost first; RCU */
	struct return_instance *ri_pool;	  /* of the owner alone */
	struct timer_list ri_timer;
	seqcount_t ri_seqcount; /* odd while ri_timer walks (P10) */

	union {
		struct {
			struct arch_step autask;
			unsigned long vaddr; /* probed address of the step */
		};
		struct { /* of a child, before its first step */
			struct callback_head dup_xol_work;
			unsigned long dup_xol_addr;
		};
	};

	struct uprobe *active_uprobe; /* not NULL: in a step */
	unsigned long xol_vaddr;      /* 0: no slot */
	bool signal_denied;	      /* in the flag design */
};

/* Slots of 4 bytes in a page of 4096 are the most that any arch has. */
#define XOL_MAX_SLOTS 1024

/* Per mm, once made it stays until the mm goes. Slot 0 is the trampoline. */
struct xol_area {
	wait_queue_head_t wq;
	unsigned long bitmap[XOL_MAX_SLOTS / (8 * sizeof(unsigned long))];
	unsigned int nr_slots; /* that may be used, slot 0 included */
	unsigned long vaddr;   /* of the page */
};

/* ---- register.c: for probe users ----------------------------------------- */

/*
 * ref_ctr_offset: place in the file of a 16-bit counter that says how many
 * breakpoints are in, or 0. Returns a referenced uprobe, or ERR_PTR: -EINVAL (no
 * handler, bad offset, odd ref_ctr_offset, or another one than the probe that is
 * there has), -EIO (unreadable file), -ENOMEM, or what the installation in some
 * mm failed with (-ENOTSUPP: the instruction; -EINVAL: a negative counter).
 */
struct uprobe *uprobe_register(struct inode *inode, loff_t offset,
			       loff_t ref_ctr_offset,
			       struct uprobe_consumer *uc);
/*
 * The filter of uc, which is registered, answers differently now: install where
 * it accepts (add), or remove where nobody accepts any more. -ENOENT: uc is not
 * registered; or as uprobe_register.
 */
int uprobe_apply(struct uprobe *uprobe, struct uprobe_consumer *uc, bool add);
/* Take uc off and its breakpoints out; uc may still be running. */
void uprobe_unregister_nosync(struct uprobe *uprobe,
			      struct uprobe_consumer *uc);
/* Between them no breakpoint is written on behalf of a registration. May sleep. */
void uprobe_start_dup_mmap(void);
void uprobe_end_dup_mmap(void);
/* Afterwards no consumer unregistered before runs, on entry or return. */
void uprobe_unregister_sync(void);

/* ---- install.c ------------------------------------------------------------- */

/* A file mapping appeared in vma->vm_mm. Errors are ignored; returns 0. */
int uprobe_mmap(struct vm_area_struct *vma);
void uprobe_munmap(struct vm_area_struct *vma, unsigned long start,
		   unsigned long end);
/* Caller holds mmap_lock for write and, for install, register_rwsem. */
int install_breakpoint(struct uprobe *uprobe, struct vm_area_struct *vma,
		       unsigned long vaddr);
int remove_breakpoint(struct uprobe *uprobe, struct vm_area_struct *vma,
		      unsigned long vaddr);
/* 1: the bytes at vaddr are a breakpoint, 0: they are not, or -EFAULT. */
int is_trap_at_addr(struct mm_struct *mm, unsigned long vaddr);
bool valid_vma(struct vm_area_struct *vma, bool is_register);
unsigned long offset_to_vaddr(struct vm_area_struct *vma, loff_t offset);
loff_t vaddr_to_offset(struct vm_area_struct *vma, unsigned long vaddr);
/* Does any consumer want this mm? Caller holds register or consumer_rwsem. */
bool filter_chain(struct uprobe *uprobe, struct mm_struct *mm);
/* Remove uprobe from the current mm on request of its handlers. */
void unapply_uprobe(struct uprobe *uprobe, struct mm_struct *mm);

/* ---- ref_ctr.c: reference counters ------------------------------------------ */

/*
 * A breakpoint goes in (d: 1) or out (d: -1): change the counter, now or, if its
 * mapping is still to come, then. -EINVAL: it would be negative; -EFAULT;
 * -ENOMEM. Caller holds mmap_lock for write; may sleep.
 */
int update_ref_ctr(struct uprobe *uprobe, struct mm_struct *mm, int d);
/* A data mapping has come. Caller holds mmap_lock for write; may sleep. */
void delayed_ref_ctr_inc(struct vm_area_struct *vma);
/* Forget what waits for this uprobe (NULL: any) in this mm (NULL: any). */
void delayed_uprobe_remove(struct uprobe *uprobe, struct mm_struct *mm);

/* ---- tree.c: registry and life of struct uprobe ---------------------------- */

/*
 * New or existing, with one reference; ERR_PTR(-ENOMEM), or -EINVAL: the existing
 * one has another counter. May sleep.
 */
struct uprobe *alloc_uprobe(struct inode *inode, loff_t offset,
			    loff_t ref_ctr_offset);
/* Caller is in a tasks-trace section; takes no reference. */
struct uprobe *find_uprobe_rcu(struct inode *inode, loff_t offset);
/* NULL if the last reference is gone already. */
struct uprobe *try_get_uprobe(struct uprobe *uprobe);
void put_uprobe(struct uprobe *uprobe);
bool no_uprobe_events(void);
/* Referenced uprobes of [start, start + len) of the file, on pending_list. */
void build_probe_list(struct inode *inode, loff_t start, unsigned long len,
		      struct list_head *head);
bool range_has_uprobes(struct inode *inode, loff_t start, unsigned long len);
bool uprobe_is_active(struct uprobe *uprobe);

/* ---- hit.c, step.c: the task's own path ------------------------------------ */

int uprobe_pre_sstep_notifier(struct pt_regs *regs);
int uprobe_post_sstep_notifier(struct pt_regs *regs);
void uprobe_notify_resume(struct pt_regs *regs);
/* True: no signal may be taken now, the task is in a step. */
bool uprobe_deny_signal(void);
/* 0 when the task is set up to run the slot; else it restarts at vaddr. */
int pre_ssout(struct uprobe *uprobe, struct pt_regs *regs, unsigned long vaddr);
void handle_singlestep(struct uprobe_task *utask, struct pt_regs *regs);

/*
 * The system call of an optimised probe: as a hit at vaddr, whose instruction
 * does nothing. That there is no probe any more is no error.
 */
void handle_syscall_uprobe(struct pt_regs *regs, unsigned long vaddr);

/* ---- optimize.c: probes that are calls ----------------------------------------- */

/* May such an instruction, at that offset in its file, become a call? T. */
bool uprobe_can_optimize(const struct arch_ops *arch,
			 const struct arch_insn *insn, loff_t offset);
/* After a hit. Takes mmap_lock of the current mm, may sleep. */
void arch_uprobe_optimize(struct uprobe *uprobe, unsigned long vaddr);
/* 1: a call to a trampoline is at vaddr, 0, or -EFAULT. Caller holds mmap_lock. */
int uprobe_is_optimized(struct mm_struct *mm, unsigned long vaddr);
/*
 * Breakpoint or call, the text becomes a nop again, as arch_opt.undo_len has it;
 * of a uprobe that UPROBE_CAN_OPTIMIZE. -EINVAL: other bytes are there; or what
 * the machine says, and a breakpoint is there. Caller holds mmap_lock for write;
 * may sleep.
 */
int uprobe_unoptimize(struct uprobe *uprobe, struct mm_struct *mm,
		      unsigned long vaddr);
/*
 * The system call `uprobe`. -ENXIO: not made by a trampoline; else 0, and regs are
 * what the task goes on with. T, own task.
 */
long sys_uprobe(struct pt_regs *regs);
/* The mm has no user left. */
void uprobe_free_trampolines(struct mm_struct *mm);

/* ---- xol.c ------------------------------------------------------------------- */

/* New, at vaddr (0: anywhere); NULL: no memory, or there is one already. */
struct xol_area *create_xol_area(struct mm_struct *mm, unsigned long vaddr);
/* The area of the current mm, made if need be; NULL if that failed. */
struct xol_area *get_xol_area(void);
/* As get_xol_area, for an mm that nobody runs in. */
struct xol_area *xol_area_of(struct mm_struct *mm);
/* Sleeps until a slot is free. -ENOMEM, -EINTR (fatal signal), -EFAULT. */
int xol_get_insn_slot(struct uprobe *uprobe, struct uprobe_task *utask);
void xol_free_insn_slot(struct uprobe_task *utask);
unsigned long uprobe_get_trampoline_vaddr(void);
void uprobe_clear_state(struct mm_struct *mm);

/* ---- uretprobe.c ------------------------------------------------------------- */

/* ri is used up: linked into utask, or freed. */
void prepare_uretprobe(struct uprobe *uprobe, struct pt_regs *regs,
		       struct return_instance *ri);
void uprobe_handle_trampoline(struct pt_regs *regs);
/* ri is the innermost; the caller frees it. */
void unlink_return_instance(struct uprobe_task *utask,
			    struct return_instance *ri);
/* ---- hprobe.c ------------------------------------------------------------------ */

extern struct srcu_struct uretprobes_srcu;
void hprobe_init_leased(struct hprobe *hprobe, struct uprobe *uprobe,
			int srcu_idx);
/* Not published either; owns the caller's reference to uprobe, or is gone (NULL). */
void hprobe_init_stable(struct hprobe *hprobe, struct uprobe *uprobe);
/* Owner only. The uprobe (NULL if gone) is usable until hprobe_finalize. */
struct uprobe *hprobe_consume(struct hprobe *hprobe, enum hprobe_state *hstate);
void hprobe_finalize(struct hprobe *hprobe, enum hprobe_state hstate);
/*
 * Trade the lease for a reference. Any context, in an SRCU section. With get, which
 * is for the owner, also a reference for the caller: the uprobe, or NULL if it is gone.
 */
struct uprobe *hprobe_expire(struct hprobe *hprobe, bool get);

/* ---- ri.c, over the storage of variant.h ----------------------------------------- */

/* ZERO_SIZE_PTR when out of memory. */
struct return_instance *alloc_return_instance(struct uprobe_task *utask);
/* Returns ri, perhaps moved; or ZERO_SIZE_PTR: out of memory, ri is freed. */
struct return_instance *push_consumer(struct return_instance *ri, u64 id,
				      u64 cookie);
/* A copy but for hprobe and next, for a child; NULL when out of memory. */
struct return_instance *dup_return_instance(const struct return_instance *old);
/* The owner has unlinked ri. */
void free_ret_instance(struct uprobe_task *utask, struct return_instance *ri,
		       bool cleanup_hprobe);
/* ri was never linked, or nobody can be at it any more. */
void ri_drop(struct return_instance *ri);
/* hprobe_expire for all instances of the task; in SRCU and RCU sections. */
void ri_expire_all(struct uprobe_task *utask);
void ri_timer(struct timer_list *timer);

/* ---- task.c ----------------------------------------------------------------------- */

/* The current task's, allocated if need be; NULL when out of memory. */
struct uprobe_task *get_utask(void);
void uprobe_free_utask(struct task_struct *t);
struct uprobe_task *alloc_utask(void);

/* ---- fork.c ----------------------------------------------------------------------- */

/* newmm is about to become a copy of oldmm. */
void uprobe_dup_mmap(struct mm_struct *oldmm, struct mm_struct *newmm);
/* t, which never ran, is a new child of the current task; flags are CLONE_*. */
void uprobe_copy_process(struct task_struct *t, unsigned int flags);

/* ---- arch.c: the kernel's architecture hooks over struct arch_ops ------------------ */

/* The n bytes of the file at the probed offset -> uprobe->insn. -ENOTSUPP. */
int arch_uprobe_analyze_insn(struct uprobe *uprobe, struct mm_struct *mm,
			     const unsigned char *bytes, int n);
bool arch_uprobe_skip_sstep(struct uprobe *uprobe, struct pt_regs *regs,
			    unsigned long vaddr);
int arch_uprobe_pre_xol(struct uprobe *uprobe, struct pt_regs *regs);
/* 0, or -EFAULT: what the instruction should have stored could not be. */
int arch_uprobe_post_xol(struct uprobe *uprobe, struct pt_regs *regs);
void arch_uprobe_abort_xol(struct uprobe *uprobe, struct pt_regs *regs);
/* Did something else than the end of the step bring the task here? */
bool arch_uprobe_xol_was_trapped(struct task_struct *t);
/* The old return address, or -1 with nothing changed. */
unsigned long arch_uretprobe_hijack_return_addr(unsigned long trampoline,
						struct pt_regs *regs);

#endif /* MODEL_UPROBES_UPROBES_H */

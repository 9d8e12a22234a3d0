/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/mm_types.h - address spaces and their mappings.
 *
 * Leaves out pages: text and data belong to the machine. Mappings are an RCU list
 * sorted by address. Context: none needed, nothing here is code.
 */
#ifndef LINUX_MM_TYPES_H
#define LINUX_MM_TYPES_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rwsem.h>
#include <linux/seqlock_types.h>
#include <linux/types.h>

struct arch_ops;
struct uprobe_trampoline;
struct xol_area;

typedef unsigned long vm_flags_t;

#define VM_NONE 0x0ul
#define VM_READ 0x1ul
#define VM_WRITE 0x2ul
#define VM_EXEC 0x4ul
#define VM_SHARED 0x8ul
#define VM_MAYREAD 0x10ul
#define VM_MAYWRITE 0x20ul
#define VM_MAYEXEC 0x40ul
#define VM_MAYSHARE 0x80ul
#define VM_IO 0x4000ul
#define VM_DONTCOPY 0x20000ul
#define VM_HUGETLB 0x400000ul

/* mm_struct.flags */
#define MMF_HAS_UPROBES 19
#define MMF_RECALC_UPROBES 20
#define MMF_UNSTABLE 22 /* copying it failed half way */

struct uprobes_state {
	struct xol_area *xol_area;
	struct uprobe_trampoline *trampolines; /* mmap_lock */
};

struct vm_area_struct {
	unsigned long vm_start, vm_end; /* mmap_lock; lockless readers check */
	struct mm_struct *vm_mm;
	vm_flags_t vm_flags;
	unsigned long vm_pgoff; /* in pages */
	struct file *vm_file;	/* holds a reference; NULL: anonymous */

	struct list_head sim_vmas;   /* mm->sim_vmas */
	struct list_head sim_shared; /* i_mapping->i_mmap */
	struct rcu_head sim_rcu;
};

struct mm_struct {
	struct rw_semaphore mmap_lock;
	seqcount_t mm_lock_seq; /* odd while mmap_lock is held for write */
	atomic_t mm_users;
	unsigned long flags; /* MMF_*, atomic */
	struct uprobes_state uprobes_state;

	struct list_head sim_vmas;
	const struct arch_ops *sim_arch;
	void *sim_priv; /* the world's */
};

#endif /* LINUX_MM_TYPES_H */

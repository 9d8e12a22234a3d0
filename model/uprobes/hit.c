// SPDX-License-Identifier: GPL-2.0-only
/*
 * hit.c - a task ran into a breakpoint: whose is it, and what now.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.15..6.18. The trap itself only
 * claims it and sets TIF_UPROBE; the work is done on the way back to user mode,
 * where the task may sleep. Whenever something is missing (the probe has just
 * gone, its instruction is not ready, no memory), ip goes back to the probed
 * address and user mode tries again. Left out: arch_uprobe_ignore.
 */
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/rcupdate_trace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <sim/entry.h>
#include "uprobes/uprobes.h"

int uprobe_pre_sstep_notifier(struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;

	if (!current->mm)
		return 0;
	/* The last probe may be gone while hijacked returns are pending (B59). */
	if (!mm_flags_test(MMF_HAS_UPROBES, current->mm) &&
	    (!utask || !utask->return_instances))
		return 0;

	set_thread_flag(TIF_UPROBE);
	return 1;
}

/* Is any probe left that this mm maps? Caller holds mmap_lock. */
static void mmf_recalc_uprobes(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma) {
		if (!valid_vma(vma, false))
			continue;
		/*
		 * Also true for a probe whose filters refuse this mm; the price
		 * is a slow path for the program's own breakpoints.
		 */
		if (range_has_uprobes(file_inode(vma->vm_file),
				      (loff_t)vma->vm_pgoff << PAGE_SHIFT,
				      vma->vm_end - vma->vm_start))
			return;
	}
	mm_flags_clear(MMF_HAS_UPROBES, mm);
}

/* The probe that vma has at vaddr; vma may be NULL. */
static struct uprobe *find_uprobe_in(struct vm_area_struct *vma,
				     unsigned long vaddr)
{
	struct file *file = vma ? READ_ONCE(vma->vm_file) : NULL;

	if (!file)
		return NULL;
	return find_uprobe_rcu(file_inode(file), vaddr_to_offset(vma, vaddr));
}

/*
 * Without mmap_lock, since hits of many threads would meet in its word. What was
 * read of a mapping holds only if no writer was at work from before until now
 * (P5); mapping and file are not freed meanwhile. NULL: nothing is known.
 */
static struct uprobe *find_active_uprobe_speculative(unsigned long vaddr)
{
	struct mm_struct *mm = current->mm;
	struct uprobe *uprobe = NULL;
	unsigned int seq;

	rcu_read_lock();
	if (mmap_lock_speculate_try_begin(mm, &seq)) {
		uprobe = find_uprobe_in(vma_lookup(mm, vaddr), vaddr);
		if (uprobe && mmap_lock_speculate_retry(mm, seq))
			uprobe = NULL;
	}
	rcu_read_unlock();
	return uprobe;
}

/*
 * The probe at vaddr, or NULL and in *is_swbp what memory holds there. Both
 * under one mmap_lock: an install between them would make its own breakpoint
 * look like the program's (B47). Mappings of files without a probe and of no
 * file need not be known to the model, so memory alone says what is there.
 */
static struct uprobe *find_active_uprobe_rcu(unsigned long vaddr, int *is_swbp)
{
	struct uprobe *uprobe = find_active_uprobe_speculative(vaddr);
	struct mm_struct *mm = current->mm;

	*is_swbp = -EFAULT;
	if (uprobe)
		return uprobe;

	mmap_read_lock(mm);
	uprobe = find_uprobe_in(vma_lookup(mm, vaddr), vaddr);
	if (!uprobe)
		*is_swbp = is_trap_at_addr(mm, vaddr);

	if (!uprobe && mm_flags_test_and_clear(MMF_RECALC_UPROBES, mm))
		mmf_recalc_uprobes(mm);
	mmap_read_unlock(mm);

	return uprobe;
}

static void handler_chain(struct uprobe *uprobe, struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;
	struct return_instance *ri = NULL;
	bool has_consumers = false, remove = true;
	struct uprobe_consumer *uc;

	list_for_each_entry_rcu(uc, &uprobe->consumers, cons_node,
				rcu_read_lock_trace_held()) {
		u64 cookie = 0;
		int rc = 0;

		has_consumers = true;
		if (uc->handler) {
			rc = uc->handler(uc, regs, &cookie);
			WARN_ON_ONCE(rc < 0 || rc > UPROBE_HANDLER_IGNORE);
		}
		if (rc != UPROBE_HANDLER_REMOVE)
			remove = false;
		/* ZERO_SIZE_PTR: memory ran out, this hit has no return. */
		if (!uc->ret_handler || rc || ri == ZERO_SIZE_PTR)
			continue;
		if (!ri)
			ri = alloc_return_instance(utask);
		if (uc->handler && ri != ZERO_SIZE_PTR)
			ri = push_consumer(ri, uc->id, cookie);
	}

	if (!ZERO_OR_NULL_PTR(ri))
		prepare_uretprobe(uprobe, regs, ri);

	/*
	 * No consumer at all: the probe is being unregistered, and whoever
	 * does that removes the breakpoint (B56).
	 */
	if (!remove || !has_consumers)
		return;
	down_read(&uprobe->register_rwsem);
	if (!filter_chain(uprobe, current->mm)) {
		WARN_ON_ONCE(!uprobe_is_active(uprobe));
		unapply_uprobe(uprobe, current->mm);
	}
	up_read(&uprobe->register_rwsem);
}

/* False: something is missing, nobody was called. In a tasks-trace section. */
static bool call_handlers(struct uprobe *uprobe, struct pt_regs *regs)
{
	/*
	 * An unregister and a new register may have put a uprobe here that
	 * nobody has prepared yet (B42). smp_rmb pairs with smp_wmb in
	 * prepare_uprobe (P1, B43).
	 */
	if (unlikely(!test_bit(UPROBE_COPY_INSN, &uprobe->flags)))
		return false;
	smp_rmb();

	/* Handlers may use it (B38). */
	if (!get_utask())
		return false;

	handler_chain(uprobe, regs);
	return true;
}

/* The probe is known; caller is in a tasks-trace section. */
static void handle_found(struct uprobe *uprobe, struct pt_regs *regs,
			 unsigned long vaddr)
{
	const struct arch_ops *arch = sim_mm_arch(current->mm);

	/* For the handlers, and for every way out that restarts. */
	arch->set_ip(regs, vaddr);
	if (!call_handlers(uprobe, regs))
		return;

	/* From the next hit on it may be cheaper. */
	arch_uprobe_optimize(uprobe, vaddr);

	/* A handler sent the task elsewhere: the instruction is not run. */
	if (arch->get_ip(regs) != vaddr)
		return;

	if (!arch_uprobe_skip_sstep(uprobe, regs, vaddr))
		pre_ssout(uprobe, regs, vaddr);
}

static void handle_swbp(struct pt_regs *regs)
{
	const struct arch_ops *arch = sim_mm_arch(current->mm);
	unsigned long vaddr = arch->get_ip(regs) - arch->bp_ip_adjust;
	struct uprobe *uprobe;
	int is_swbp;

	if (vaddr == uprobe_get_trampoline_vaddr()) {
		uprobe_handle_trampoline(regs);
		return;
	}

	rcu_read_lock_trace();
	uprobe = find_active_uprobe_rcu(vaddr, &is_swbp);
	if (uprobe)
		handle_found(uprobe, regs, vaddr);
	else if (is_swbp > 0)
		force_sig(SIGTRAP); /* the program's own */
	else
		/* Removed since the trap; what is there now runs next. */
		arch->set_ip(regs, vaddr);
	rcu_read_unlock_trace();
}

void handle_syscall_uprobe(struct pt_regs *regs, unsigned long vaddr)
{
	struct uprobe *uprobe;
	int is_swbp;

	rcu_read_lock_trace();
	uprobe = find_active_uprobe_rcu(vaddr, &is_swbp);
	if (uprobe)
		call_handlers(uprobe, regs);
	rcu_read_unlock_trace();
}

void uprobe_notify_resume(struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;

	clear_thread_flag(TIF_UPROBE);

	if (utask && utask->active_uprobe)
		handle_singlestep(utask, regs);
	else
		handle_swbp(regs);
}

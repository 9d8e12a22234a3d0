// SPDX-License-Identifier: GPL-2.0-only
/*
 * install.c - breakpoints in one mm: preparation, writing, mapping hooks.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.15..6.18: prepare_uprobe,
 * install_breakpoint, remove_breakpoint, unapply_uprobe, uprobe_mmap,
 * uprobe_munmap. What the kernel does with pages and page tables to patch a
 * byte is the machine's work (machine_write_text); what decides whether it is
 * patched is here. Left out: hugetlb, collapse of THPs.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <sim/entry.h>
#include "machine.h"
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

/*
 * pending_list of a uprobe has one user at a time. The kernel hashes the inode
 * into 13 of these to spread mmap calls; one is as correct.
 */
static DEFINE_MUTEX(uprobes_mmap_mutex);

unsigned long offset_to_vaddr(struct vm_area_struct *vma, loff_t offset)
{
	return vma->vm_start + offset - ((loff_t)vma->vm_pgoff << PAGE_SHIFT);
}

loff_t vaddr_to_offset(struct vm_area_struct *vma, unsigned long vaddr)
{
	return ((loff_t)vma->vm_pgoff << PAGE_SHIFT) + vaddr - vma->vm_start;
}

/*
 * A private mapping of a file whose pages can become executable. For removal
 * VM_WRITE is tolerated: it may have been set since the breakpoint went in.
 */
bool valid_vma(struct vm_area_struct *vma, bool is_register)
{
	vm_flags_t mask = VM_MAYEXEC | VM_MAYSHARE;

	if (is_register)
		mask |= VM_WRITE;
	return vma->vm_file && (vma->vm_flags & mask) == VM_MAYEXEC;
}

int is_trap_at_addr(struct mm_struct *mm, unsigned long vaddr)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	unsigned char now[sizeof(arch->bp)];
	int err;

	err = machine_read(mm, vaddr, now, arch->bp_len);
	if (err)
		return err;
	return !memcmp(now, arch->bp, arch->bp_len);
}

/* 1: what is at vaddr tells us of its execution; 0: not, or -EFAULT. */
static int is_ours(struct uprobe *uprobe, struct mm_struct *mm,
		   unsigned long vaddr)
{
	int ret = is_trap_at_addr(mm, vaddr);

	if (!ret && test_bit(UPROBE_CAN_OPTIMIZE, &uprobe->flags))
		ret = uprobe_is_optimized(mm, vaddr);
	return ret;
}

static int write_original(struct uprobe *uprobe, struct mm_struct *mm,
			  unsigned long vaddr)
{
	if (test_bit(UPROBE_CAN_OPTIMIZE, &uprobe->flags))
		return uprobe_unoptimize(uprobe, mm, vaddr);
	return machine_write_text(mm, vaddr, uprobe->insn.bytes,
				  sim_mm_arch(mm)->bp_len);
}

/*
 * Make the text at vaddr the breakpoint (set) or the original bytes. If it is
 * so already there is nothing to do: on removal somebody else, a debugger for
 * example, has put his own bytes there, and they are not ours to overwrite.
 * The counter changes once for each byte that does, however often it takes.
 */
static int uprobe_write_opcode(struct uprobe *uprobe, struct mm_struct *mm,
			       unsigned long vaddr, bool set)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	int ours, err, d = set ? 1 : -1;
	bool counted = false;

	do {
		ours = is_ours(uprobe, mm, vaddr);
		if (ours == set)
			return 0;
		err = ours < 0 ? ours : 0;
		if (!err && !counted) {
			err = update_ref_ctr(uprobe, mm, d);
			counted = !err;
		}
		if (err)
			break;
		err = set ? machine_write_text(mm, vaddr, arch->bp,
					       arch->bp_len)
			  : write_original(uprobe, mm, vaddr);
	} while (err == -EAGAIN);

	if (err && counted)
		update_ref_ctr(uprobe, mm, -d);
	return err;
}

/* From the file, not from the mm: there may be a breakpoint there already. */
static int copy_insn(struct uprobe *uprobe, unsigned char *bytes)
{
	loff_t left = i_size_read(uprobe->inode) - uprobe->offset;
	int n = min_t(loff_t, left, ARCH_INSN_MAX);

	if (n <= 0)
		return -EIO;
	return sim_inode_read(uprobe->inode, uprobe->offset, bytes, n) ?: n;
}

/*
 * Copy and analyse the instruction, once per uprobe, at its first install. A
 * hit may look at insn as soon as it sees the bit, without a lock: the barrier
 * here pairs with smp_rmb in handle_swbp (P1).
 */
static int prepare_uprobe(struct uprobe *uprobe, struct mm_struct *mm)
{
	unsigned char bytes[ARCH_INSN_MAX];
	int ret = 0;

	if (test_bit(UPROBE_COPY_INSN, &uprobe->flags))
		return 0;

	down_write(&uprobe->consumer_rwsem);
	if (test_bit(UPROBE_COPY_INSN, &uprobe->flags))
		goto out;

	ret = copy_insn(uprobe, bytes);
	if (ret < 0)
		goto out;
	ret = arch_uprobe_analyze_insn(uprobe, mm, bytes, ret);
	if (ret)
		goto out;

	if (uprobe_can_optimize(sim_mm_arch(mm), &uprobe->insn, uprobe->offset))
		set_bit(UPROBE_CAN_OPTIMIZE, &uprobe->flags);
	smp_wmb();
	set_bit(UPROBE_COPY_INSN, &uprobe->flags);
out:
	up_write(&uprobe->consumer_rwsem);
	return ret;
}

int install_breakpoint(struct uprobe *uprobe, struct vm_area_struct *vma,
		       unsigned long vaddr)
{
	struct mm_struct *mm = vma->vm_mm;
	bool first;
	int ret;

	ret = prepare_uprobe(uprobe, mm);
	if (ret)
		return ret;

	/*
	 * Before the byte is there: a thread may run into it at once, and
	 * uprobe_pre_sstep_notifier has to claim that trap (P6).
	 */
	first = !mm_flags_test(MMF_HAS_UPROBES, mm);
	if (first)
		mm_flags_set(MMF_HAS_UPROBES, mm);

	ret = uprobe_write_opcode(uprobe, mm, vaddr, true);
	if (!ret)
		mm_flags_clear(MMF_RECALC_UPROBES, mm);
	else if (first)
		mm_flags_clear(MMF_HAS_UPROBES, mm);
	return ret;
}

int remove_breakpoint(struct uprobe *uprobe, struct vm_area_struct *vma,
		      unsigned long vaddr)
{
	struct mm_struct *mm = vma->vm_mm;

	mm_flags_set(MMF_RECALC_UPROBES, mm);
	return uprobe_write_opcode(uprobe, mm, vaddr, false);
}

void unapply_uprobe(struct uprobe *uprobe, struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	VMA_ITERATOR(vmi, mm, 0);

	mmap_write_lock(mm);
	for_each_vma(vmi, vma) {
		loff_t start = (loff_t)vma->vm_pgoff << PAGE_SHIFT;
		loff_t end = start + vma->vm_end - vma->vm_start;

		if (!valid_vma(vma, false) ||
		    file_inode(vma->vm_file) != uprobe->inode ||
		    uprobe->offset < start || uprobe->offset >= end)
			continue;
		remove_breakpoint(uprobe, vma,
				  offset_to_vaddr(vma, uprobe->offset));
	}
	mmap_write_unlock(mm);
}

int uprobe_mmap(struct vm_area_struct *vma)
{
	struct uprobe *uprobe, *u;
	struct list_head list;

	if (no_uprobe_events())
		return 0;

	/* Data: what was counted before its counter was there. */
	if (vma->vm_file &&
	    (vma->vm_flags & (VM_WRITE | VM_SHARED)) == VM_WRITE &&
	    mm_flags_test(MMF_HAS_UPROBES, vma->vm_mm))
		delayed_ref_ctr_inc(vma);

	if (!valid_vma(vma, true))
		return 0;

	mutex_lock(&uprobes_mmap_mutex);
	build_probe_list(file_inode(vma->vm_file),
			 (loff_t)vma->vm_pgoff << PAGE_SHIFT,
			 vma->vm_end - vma->vm_start, &list);
	list_for_each_entry_safe(uprobe, u, &list, pending_list) {
		/* A mapping that is made in set-up has no current task. */
		if (!(current && fatal_signal_pending(current)) &&
		    filter_chain(uprobe, vma->vm_mm))
			install_breakpoint(
				uprobe, vma,
				offset_to_vaddr(vma, uprobe->offset));
		put_uprobe(uprobe);
	}
	mutex_unlock(&uprobes_mmap_mutex);
	return 0;
}

/* Only notes that MMF_HAS_UPROBES may be stale now; the next miss finds out. */
void uprobe_munmap(struct vm_area_struct *vma, unsigned long start,
		   unsigned long end)
{
	struct mm_struct *mm = vma->vm_mm;

	if (no_uprobe_events() || !valid_vma(vma, false))
		return;
	if (!atomic_read(&mm->mm_users)) /* the whole mm goes */
		return;
	if (!mm_flags_test(MMF_HAS_UPROBES, mm) ||
	    mm_flags_test(MMF_RECALC_UPROBES, mm))
		return;
	if (range_has_uprobes(file_inode(vma->vm_file),
			      vaddr_to_offset(vma, start), end - start))
		mm_flags_set(MMF_RECALC_UPROBES, mm);
}

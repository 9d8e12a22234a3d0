// SPDX-License-Identifier: GPL-2.0-only
/*
 * mm.c - address spaces and their file mappings.
 *
 * Stands for mm/mmap.c and vma.c. Mappings are a list sorted by address that
 * lockless readers may walk; all changes are made with mmap_lock held for
 * write. Left out: pages and everything below them.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <sim/entry.h>
#include "machine.h"
#include "uprobes/uprobes.h"

struct mm_struct *sim_mm_new(const struct arch_ops *arch, void *priv)
{
	struct mm_struct *mm = kzalloc_obj(struct mm_struct);

	if (!mm)
		return NULL;
	init_rwsem(&mm->mmap_lock);
	seqcount_init(&mm->mm_lock_seq);
	atomic_set(&mm->mm_users, 1);
	INIT_LIST_HEAD(&mm->sim_vmas);
	mm->sim_arch = arch;
	mm->sim_priv = priv;
	return mm;
}

void *sim_mm_priv(struct mm_struct *mm)
{
	return mm->sim_priv;
}

const struct arch_ops *sim_mm_arch(struct mm_struct *mm)
{
	return mm->sim_arch;
}

/* Take vma out of the lists; readers without a lock may still be in it. */
static void vma_remove(struct vm_area_struct *vma)
{
	struct inode *inode = file_inode(vma->vm_file);

	i_mmap_lock_write(inode->i_mapping);
	list_del(&vma->sim_shared);
	i_mmap_unlock_write(inode->i_mapping);

	list_del_rcu(&vma->sim_vmas);
	iput(inode);
	kfree_rcu(vma, sim_rcu);
}

/* A new mapping in its place in the list, with a reference to the file. */
static struct vm_area_struct *vma_insert(struct mm_struct *mm,
					 struct inode *inode,
					 unsigned long start, unsigned long end,
					 unsigned long pgoff, vm_flags_t flags)
{
	struct vm_area_struct *vma = kzalloc_obj(struct vm_area_struct);
	struct vm_area_struct *next;

	if (!vma)
		return NULL;
	vma->vm_start = start;
	vma->vm_end = end;
	vma->vm_mm = mm;
	vma->vm_flags = flags;
	vma->vm_pgoff = pgoff;
	vma->vm_file = &igrab(inode)->sim_file;

	/* Behind the last entry is the head, which precedes nothing. */
	next = find_vma(mm, end);
	list_add_tail_rcu(&vma->sim_vmas,
			  next ? &next->sim_vmas : &mm->sim_vmas);

	i_mmap_lock_write(inode->i_mapping);
	list_add_tail(&vma->sim_shared, &inode->i_mapping->i_mmap);
	i_mmap_unlock_write(inode->i_mapping);
	return vma;
}

int sim_vma_add(struct mm_struct *mm, struct inode *inode, unsigned long start,
		unsigned long end, unsigned long file_off, unsigned int flags)
{
	vm_flags_t vm_flags = flags | VM_MAYREAD | VM_MAYEXEC;
	struct vm_area_struct *vma;
	int err = -EINVAL;

	if (start >= end || offset_in_page(start | end | file_off))
		return -EINVAL;
	vm_flags |= flags & SIM_VM_SHARED ? VM_MAYSHARE : VM_MAYWRITE;

	mmap_write_lock(mm);
	if (find_vma_intersection(mm, start, end))
		goto unlock;
	err = -ENOMEM;
	vma = vma_insert(mm, inode, start, end, file_off >> PAGE_SHIFT,
			 vm_flags);
	if (vma)
		err = uprobe_mmap(vma);
unlock:
	mmap_write_unlock(mm);
	return err;
}

/* Cut [start, end) out of vma: what lies before and behind it stays. */
static void vma_cut(struct vm_area_struct *vma, unsigned long start,
		    unsigned long end)
{
	unsigned long cut_pages = (end - vma->vm_start) >> PAGE_SHIFT;
	unsigned long tail_end = vma->vm_end;

	if (start <= vma->vm_start && end >= tail_end) {
		vma_remove(vma);
		return;
	}
	if (start <= vma->vm_start) {
		WRITE_ONCE(vma->vm_pgoff, vma->vm_pgoff + cut_pages);
		WRITE_ONCE(vma->vm_start, end);
		return;
	}
	WRITE_ONCE(vma->vm_end, start);
	if (end < tail_end)
		vma_insert(vma->vm_mm, file_inode(vma->vm_file), end, tail_end,
			   vma->vm_pgoff + cut_pages, vma->vm_flags);
}

void sim_vma_del(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	struct vm_area_struct *vma;

	mmap_write_lock(mm);
	while ((vma = find_vma_intersection(mm, start, end))) {
		uprobe_munmap(vma, max(start, vma->vm_start),
			      min(end, vma->vm_end));
		vma_cut(vma, start, end);
	}
	mmap_write_unlock(mm);
}

int mmap_write_lock_killable(struct mm_struct *mm)
{
	if (down_write_trylock(&mm->mmap_lock)) {
		raw_write_seqcount_begin(&mm->mm_lock_seq);
		return 0;
	}
	if (fatal_signal_pending(current))
		return -EINTR;
	mmap_write_lock(mm);
	return 0;
}

static int dup_vma(struct mm_struct *mm, struct vm_area_struct *old)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	if (old->vm_flags & VM_DONTCOPY)
		return 0;
	if (!vma_insert(mm, file_inode(old->vm_file), old->vm_start,
			old->vm_end, old->vm_pgoff, old->vm_flags))
		return -ENOMEM;
	return machine_copy_pages(mm, old->vm_mm, old->vm_start,
				  old->vm_end - old->vm_start);
}

int dup_mmap(struct mm_struct *mm, struct mm_struct *oldmm)
{
	struct vm_area_struct *old;
	int err = 0;

	if (mmap_write_lock_killable(oldmm))
		return -EINTR;
	uprobe_dup_mmap(oldmm, mm);
	mmap_write_lock(mm);
	list_for_each_entry(old, &oldmm->sim_vmas, sim_vmas) {
		err = dup_vma(mm, old);
		if (err) {
			mm_flags_set(MMF_UNSTABLE, mm);
			break;
		}
	}
	mmap_write_unlock(mm);
	mmap_write_unlock(oldmm);
	return err;
}

void mmput(struct mm_struct *mm)
{
	struct vm_area_struct *vma, *next;

	if (!atomic_dec_and_test(&mm->mm_users))
		return;
	uprobe_clear_state(mm);
	/* Whoever comes from the file's side finds no user and leaves it. */
	list_for_each_entry_safe(vma, next, &mm->sim_vmas, sim_vmas)
		vma_remove(vma);
	kfree(mm);
}

void sim_mm_put(struct mm_struct *mm)
{
	mmput(mm);
}

struct vm_area_struct *find_vma(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma;

	list_for_each_entry_rcu(vma, &mm->sim_vmas, sim_vmas) {
		if (addr < READ_ONCE(vma->vm_end))
			return vma;
	}
	return NULL;
}

struct vm_area_struct *vma_lookup(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = find_vma(mm, addr);

	return vma && addr >= READ_ONCE(vma->vm_start) ? vma : NULL;
}

struct vm_area_struct *find_vma_intersection(struct mm_struct *mm,
					     unsigned long start,
					     unsigned long end)
{
	struct vm_area_struct *vma = find_vma(mm, start);

	return vma && vma->vm_start < end ? vma : NULL;
}

struct vm_area_struct *vma_next(struct vma_iterator *vmi)
{
	struct vm_area_struct *vma = find_vma(vmi->mm, vmi->addr);

	if (vma)
		vmi->addr = vma->vm_end;
	return vma;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/mm.h - looking up mappings; flags of an address space.
 *
 * 	function			lock			sleeps	point
 * 	find_vma, vma_lookup, ..	mmap_lock, or RCU	no	yes
 * 	for_each_vma			mmap_lock		no	yes
 * 	vma_interval_tree_foreach	i_mmap_rwsem		no	yes
 * 	mm_flags_*			none			no	yes
 * 	dup_mmap			takes both mmap_locks	yes	yes
 * Context: task. Found without mmap_lock, a mapping is only a hint until
 * mmap_lock_speculate_retry says that nothing changed. Leaves out pages, page
 * tables and faults: text is written through machine.h.
 */
#ifndef LINUX_MM_H
#define LINUX_MM_H

#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/mmap_lock.h>
#include <linux/rculist.h>

#define PAGE_SHIFT 12
#define PAGE_SIZE (1ul << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define PAGE_ALIGN(addr) (((addr) + PAGE_SIZE - 1) & PAGE_MASK)
#define offset_in_page(p) ((unsigned long)(p) & ~PAGE_MASK)

/* First mapping that ends after addr; vma_lookup: the one that holds it. */
struct vm_area_struct *find_vma(struct mm_struct *mm, unsigned long addr);
struct vm_area_struct *vma_lookup(struct mm_struct *mm, unsigned long addr);
struct vm_area_struct *find_vma_intersection(struct mm_struct *mm,
					     unsigned long start,
					     unsigned long end);

/*
 * Copy the mappings of oldmm, and what they show, into mm, which has none and is
 * known to nobody yet. -EINTR: the task is killed; -ENOMEM. On failure mm is incomplete,
 * and who finds it by a file must leave it alone (MMF_UNSTABLE).
 */
int dup_mmap(struct mm_struct *mm, struct mm_struct *oldmm);

struct vma_iterator {
	struct mm_struct *mm;
	unsigned long addr; /* next mapping ends after it */
};

#define VMA_ITERATOR(name, mm_, addr_) \
	struct vma_iterator name = { .mm = (mm_), .addr = (addr_) }
/* The next mapping, or NULL. */
struct vm_area_struct *vma_next(struct vma_iterator *vmi);
#define for_each_vma(vmi, vma) while (((vma) = vma_next(&(vmi))) != NULL)

static inline unsigned long vma_start_pgoff(const struct vm_area_struct *vma)
{
	return vma->vm_pgoff;
}

static inline unsigned long vma_pages(const struct vm_area_struct *vma)
{
	return (vma->vm_end - vma->vm_start) >> PAGE_SHIFT;
}

/* Does the mapping show any of the file's pages first..last? */
static inline bool sim_vma_shows(const struct vm_area_struct *vma,
				 pgoff_t first, pgoff_t last)
{
	return vma->vm_pgoff <= last && vma->vm_pgoff + vma_pages(vma) > first;
}

#define vma_interval_tree_foreach(vma, root, first, last) \
	list_for_each_entry(vma, root, sim_shared)        \
		if (!sim_vma_shows(vma, first, last)) {   \
		} else
#define mapping_rmap_tree_foreach(vma, mapping, first, last) \
	vma_interval_tree_foreach(vma, &(mapping)->i_mmap, first, last)

#define mm_flags_test(flag, mm) test_bit(flag, &(mm)->flags)
#define mm_flags_set(flag, mm) set_bit(flag, &(mm)->flags)
#define mm_flags_clear(flag, mm) clear_bit(flag, &(mm)->flags)
#define mm_flags_test_and_set(flag, mm) test_and_set_bit(flag, &(mm)->flags)
#define mm_flags_test_and_clear(flag, mm) test_and_clear_bit(flag, &(mm)->flags)

#endif /* LINUX_MM_H */

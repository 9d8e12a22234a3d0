// SPDX-License-Identifier: GPL-2.0-only
/*
 * ref_ctr.c - reference counters: a program's "is anybody listening" words.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.16..6.18 (4.20 had most of it). A
 * counter (an SDT semaphore) is 16 bits in a private writable mapping of the
 * probed file; it goes up with every breakpoint that is written and down with
 * every one that is removed. Text is often mapped before data, so an increment
 * may have to wait:
 *
 *	breakpoint is written			counter + 1, if its mapping is there
 *						else (uprobe, mm) on the delayed list
 *	the data mapping appears		counter + 1, off the list
 *	breakpoint is removed			counter - 1, off the list
 *	mm or uprobe dies			off the list
 *
 * As in the kernel the list has one entry for a uprobe and an mm, though the mm
 * may map the place twice. Entries hold no reference.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include "machine.h"
#include "uprobes/uprobes.h"

struct delayed_uprobe {
	struct list_head list;
	struct uprobe *uprobe;
	struct mm_struct *mm;
};

static DEFINE_MUTEX(delayed_uprobe_lock);
static LIST_HEAD(delayed_uprobe_list);

/* Caller holds the lock. */
static struct delayed_uprobe *delayed_uprobe_find(struct uprobe *uprobe,
						  struct mm_struct *mm)
{
	struct delayed_uprobe *du;

	list_for_each_entry(du, &delayed_uprobe_list, list) {
		if (du->uprobe == uprobe && du->mm == mm)
			return du;
	}
	return NULL;
}

static void delayed_uprobe_delete(struct delayed_uprobe *du)
{
	list_del(&du->list);
	kfree(du);
}

static int delayed_uprobe_add(struct uprobe *uprobe, struct mm_struct *mm)
{
	struct delayed_uprobe *du;

	if (delayed_uprobe_find(uprobe, mm))
		return 0;
	du = kzalloc_obj(struct delayed_uprobe);
	if (!du)
		return -ENOMEM;
	du->uprobe = uprobe;
	du->mm = mm;
	list_add(&du->list, &delayed_uprobe_list);
	return 0;
}

void delayed_uprobe_remove(struct uprobe *uprobe, struct mm_struct *mm)
{
	struct delayed_uprobe *du, *next;

	mutex_lock(&delayed_uprobe_lock);
	list_for_each_entry_safe(du, next, &delayed_uprobe_list, list) {
		if ((!uprobe || du->uprobe == uprobe) && (!mm || du->mm == mm))
			delayed_uprobe_delete(du);
	}
	mutex_unlock(&delayed_uprobe_lock);
}

/* Private and writable, of the right file, and the counter lies in it. */
static bool valid_ref_ctr_vma(struct uprobe *uprobe, struct vm_area_struct *vma)
{
	unsigned long vaddr = offset_to_vaddr(vma, uprobe->ref_ctr_offset);

	return vma->vm_file && file_inode(vma->vm_file) == uprobe->inode &&
	       (vma->vm_flags & (VM_WRITE | VM_SHARED)) == VM_WRITE &&
	       vma->vm_start <= vaddr && vaddr < vma->vm_end;
}

/* The first mapping that has the counter; caller holds mmap_lock. */
static struct vm_area_struct *find_ref_ctr_vma(struct uprobe *uprobe,
					       struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma) {
		if (valid_ref_ctr_vma(uprobe, vma))
			return vma;
	}
	return NULL;
}

/* One writer at a time: mmap_lock is held for write. */
static int add_to_counter(struct uprobe *uprobe, struct vm_area_struct *vma,
			  int d)
{
	unsigned long vaddr = offset_to_vaddr(vma, uprobe->ref_ctr_offset);
	short value;
	int err;

	err = machine_read(vma->vm_mm, vaddr, &value, sizeof(value));
	if (!err && value + d < 0)
		err = -EINVAL; /* somebody else has changed it */
	if (!err)
		err = machine_write_counter(vma->vm_mm, vaddr, value + d);
	if (err)
		pr_warn("uprobe: reference counter at 0x%lx not changed by "
			"%d: error %d\n",
			vaddr, d, err);
	return err;
}

int update_ref_ctr(struct uprobe *uprobe, struct mm_struct *mm, int d)
{
	struct vm_area_struct *vma;
	int err = 0;

	if (!uprobe->ref_ctr_offset)
		return 0;

	vma = find_ref_ctr_vma(uprobe, mm);
	if (vma) {
		err = add_to_counter(uprobe, vma, d);
		if (d > 0)
			return err;
	}
	if (d < 0) {
		delayed_uprobe_remove(uprobe, mm);
		return err;
	}
	mutex_lock(&delayed_uprobe_lock);
	err = delayed_uprobe_add(uprobe, mm);
	mutex_unlock(&delayed_uprobe_lock);
	return err;
}

void delayed_ref_ctr_inc(struct vm_area_struct *vma)
{
	struct delayed_uprobe *du, *next;

	mutex_lock(&delayed_uprobe_lock);
	list_for_each_entry_safe(du, next, &delayed_uprobe_list, list) {
		if (du->mm != vma->vm_mm || !valid_ref_ctr_vma(du->uprobe, vma))
			continue;
		add_to_counter(du->uprobe, vma, 1);
		delayed_uprobe_delete(du);
	}
	mutex_unlock(&delayed_uprobe_lock);
}

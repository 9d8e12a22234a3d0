// SPDX-License-Identifier: GPL-2.0-only
/*
 * register.c - consumers come and go, in every mm that maps the place.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.15..6.18. register_rwsem orders
 * registrations of one probe; consumer_rwsem guards the list, which hits walk
 * under tasks-trace RCU alone (P7).
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/percpu-rwsem.h>
#include <linux/printk.h>
#include <linux/rcupdate_trace.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include "uprobes/uprobes.h"

/* Held for write while breakpoints are put into mms, so that no mm is copied
 * between the listing of mms and the writing (P13). */
DEFINE_STATIC_PERCPU_RWSEM(dup_mmap_sem);

void uprobe_start_dup_mmap(void)
{
	percpu_down_read(&dup_mmap_sem);
}

void uprobe_end_dup_mmap(void)
{
	percpu_up_read(&dup_mmap_sem);
}

/* One place in one mm; holds mm_users. */
struct map_info {
	struct map_info *next;
	struct mm_struct *mm;
	unsigned long vaddr;
};

static void consumer_add(struct uprobe *uprobe, struct uprobe_consumer *uc)
{
	static atomic64_t id;

	down_write(&uprobe->consumer_rwsem);
	list_add_rcu(&uc->cons_node, &uprobe->consumers);
	uc->id = atomic64_inc_return(&id);
	up_write(&uprobe->consumer_rwsem);
}

static void consumer_del(struct uprobe *uprobe, struct uprobe_consumer *uc)
{
	down_write(&uprobe->consumer_rwsem);
	list_del_rcu(&uc->cons_node);
	up_write(&uprobe->consumer_rwsem);
}

static bool consumer_filter(struct uprobe_consumer *uc, struct mm_struct *mm)
{
	return !uc->filter || uc->filter(uc, mm);
}

bool filter_chain(struct uprobe *uprobe, struct mm_struct *mm)
{
	struct uprobe_consumer *uc;
	bool wanted = false;

	down_read(&uprobe->consumer_rwsem);
	list_for_each_entry_rcu(uc, &uprobe->consumers, cons_node,
				rcu_read_lock_trace_held()) {
		wanted = consumer_filter(uc, mm);
		if (wanted)
			break;
	}
	up_read(&uprobe->consumer_rwsem);
	return wanted;
}

static void push_info(struct map_info **list, struct map_info *info)
{
	info->next = *list;
	*list = info;
}

static struct map_info *pop_info(struct map_info **list)
{
	struct map_info *info = *list;

	if (info)
		*list = info->next;
	return info;
}

/* One pass over the mappings with what is in *spare; returns the shortfall. */
static int collect_maps(struct address_space *mapping, loff_t offset,
			bool is_register, struct map_info **spare,
			struct map_info **list)
{
	unsigned long pgoff = offset >> PAGE_SHIFT;
	struct vm_area_struct *vma;
	struct map_info *info;
	int more = 0;

	i_mmap_lock_read(mapping);
	vma_interval_tree_foreach(vma, &mapping->i_mmap, pgoff, pgoff)
	{
		if (!valid_vma(vma, is_register))
			continue;
		info = pop_info(spare);
		if (!info) {
			more++;
			continue;
		}
		if (!mmget_not_zero(vma->vm_mm)) {
			push_info(spare, info);
			continue;
		}
		info->mm = vma->vm_mm;
		info->vaddr = offset_to_vaddr(vma, offset);
		push_info(list, info);
	}
	i_mmap_unlock_read(mapping);
	return more;
}

/*
 * Every (mm, vaddr) that maps the place. Nothing may sleep under the i_mmap
 * lock (reclaim takes it), so memory is got between passes until one pass had
 * enough.
 */
static int build_map_info(struct address_space *mapping, loff_t offset,
			  bool is_register, struct map_info **list)
{
	struct map_info *spare = NULL, *info;
	int more, err = 0;

	*list = NULL;
	while ((more = collect_maps(mapping, offset, is_register, &spare,
				    list))) {
		while ((info = pop_info(list))) {
			mmput(info->mm);
			push_info(&spare, info);
		}
		while (more-- && !err) {
			info = kmalloc_obj(struct map_info);
			if (info)
				push_info(&spare, info);
			else
				err = -ENOMEM;
		}
		if (err)
			break;
	}
	while ((info = pop_info(&spare)))
		kfree(info);
	return err;
}

/* Install for a new consumer, or remove if nobody is left who wants the mm. */
static int apply_to_mm(struct uprobe *uprobe, struct uprobe_consumer *new,
		       struct map_info *info)
{
	struct mm_struct *mm = info->mm;
	struct vm_area_struct *vma;
	int err = 0;

	mmap_write_lock(mm);
	if (check_stable_address_space(mm))
		goto out;
	/* The mapping may have changed since it was listed. */
	vma = vma_lookup(mm, info->vaddr);
	if (!vma || !valid_vma(vma, new != NULL) ||
	    file_inode(vma->vm_file) != uprobe->inode ||
	    vaddr_to_offset(vma, info->vaddr) != uprobe->offset)
		goto out;

	if (new) {
		if (consumer_filter(new, mm))
			err = install_breakpoint(uprobe, vma, info->vaddr);
	} else if (mm_flags_test(MMF_HAS_UPROBES, mm) &&
		   !filter_chain(uprobe, mm)) {
		err = remove_breakpoint(uprobe, vma, info->vaddr);
	}
out:
	mmap_write_unlock(mm);
	return err;
}

static int register_for_each_vma(struct uprobe *uprobe,
				 struct uprobe_consumer *new)
{
	struct map_info *list, *info;
	int err;

	percpu_down_write(&dup_mmap_sem);
	err = build_map_info(uprobe->inode->i_mapping, uprobe->offset,
			     new != NULL, &list);
	while ((info = pop_info(&list))) {
		/* After a failed install the rest is not tried. */
		if (!err || !new)
			err |= apply_to_mm(uprobe, new, info);
		mmput(info->mm);
		kfree(info);
	}
	percpu_up_write(&dup_mmap_sem);
	return err;
}

static bool is_consumer(struct uprobe *uprobe, struct uprobe_consumer *uc)
{
	struct uprobe_consumer *con;
	bool found = false;

	rcu_read_lock_trace();
	list_for_each_entry_rcu(con, &uprobe->consumers, cons_node,
				rcu_read_lock_trace_held())
		found |= con == uc;
	rcu_read_unlock_trace();
	return found;
}

int uprobe_apply(struct uprobe *uprobe, struct uprobe_consumer *uc, bool add)
{
	int err = -ENOENT;

	down_write(&uprobe->register_rwsem);
	if (is_consumer(uprobe, uc))
		err = register_for_each_vma(uprobe, add ? uc : NULL);
	up_write(&uprobe->register_rwsem);
	return err;
}

void uprobe_unregister_nosync(struct uprobe *uprobe, struct uprobe_consumer *uc)
{
	int err;

	down_write(&uprobe->register_rwsem);
	consumer_del(uprobe, uc);
	err = register_for_each_vma(uprobe, NULL);
	up_write(&uprobe->register_rwsem);

	/*
	 * A breakpoint that could not be removed must keep its uprobe, or its
	 * next hit would look like the program's own.
	 */
	if (err)
		pr_warn("uprobe: breakpoint not removed, uprobe leaked\n");
	else
		put_uprobe(uprobe);
}

void uprobe_unregister_sync(void)
{
	/* Entry handlers run in the one, leases hold the other. */
	synchronize_rcu_tasks_trace();
	synchronize_srcu(&uretprobes_srcu);
}

struct uprobe *uprobe_register(struct inode *inode, loff_t offset,
			       loff_t ref_ctr_offset,
			       struct uprobe_consumer *uc)
{
	struct uprobe *uprobe;
	int err;

	if (!uc->handler && !uc->ret_handler)
		return ERR_PTR(-EINVAL);
	if (offset < 0 || offset > i_size_read(inode))
		return ERR_PTR(-EINVAL);
	if (ref_ctr_offset & (sizeof(short) - 1))
		return ERR_PTR(-EINVAL);

	uprobe = alloc_uprobe(inode, offset, ref_ctr_offset);
	if (IS_ERR(uprobe))
		return uprobe;

	down_write(&uprobe->register_rwsem);
	consumer_add(uprobe, uc);
	err = register_for_each_vma(uprobe, uc);
	up_write(&uprobe->register_rwsem);

	if (err) {
		uprobe_unregister_nosync(uprobe, uc);
		uprobe_unregister_sync();
		return ERR_PTR(err);
	}
	return uprobe;
}

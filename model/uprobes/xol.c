// SPDX-License-Identifier: GPL-2.0-only
/*
 * xol.c - the page where copied instructions run, and its slots.
 *
 * Mirrors xol_* of kernel/events/uprobes.c, Linux 6.13..6.18. Slot 0 is taken
 * from the start by the return trampoline, a breakpoint. Differs: the bitmap
 * lies inside the area, and a signal that nothing may hold back ends the wait
 * for a slot (the kernel's wait is uninterruptible; a tracer that detaches has
 * to get its tasks back).
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <sim/entry.h>
#include "machine.h"
#include "uprobes/uprobes.h"

/*
 * Map the page, at area->vaddr unless that is 0, and publish the area, unless another
 * thread has done so (P2).
 */
static int xol_add_vma(struct mm_struct *mm, struct xol_area *area)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	unsigned long size = PAGE_SIZE;
	unsigned char *page;
	int ret;

	page = kzalloc(PAGE_SIZE, GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	memcpy(page, arch->bp, arch->bp_len);

	mmap_write_lock(mm);
	ret = -EALREADY;
	if (!mm->uprobes_state.xol_area) {
		ret = machine_map_xol(mm, area->vaddr, page, &size,
				      &area->vaddr);
		area->nr_slots = min_t(unsigned long, size / arch->slot_bytes,
				       XOL_MAX_SLOTS);
		if (!ret)
			smp_store_release(&mm->uprobes_state.xol_area, area);
	}
	mmap_write_unlock(mm);

	kfree(page);
	return ret;
}

struct xol_area *create_xol_area(struct mm_struct *mm, unsigned long vaddr)
{
	struct xol_area *area = kzalloc_obj(struct xol_area);

	if (!area)
		return NULL;
	init_waitqueue_head(&area->wq);
	set_bit(0, area->bitmap);
	area->vaddr = vaddr;
	if (xol_add_vma(mm, area)) {
		kfree(area);
		return NULL;
	}
	return area;
}

struct xol_area *xol_area_of(struct mm_struct *mm)
{
	if (!READ_ONCE(mm->uprobes_state.xol_area))
		create_xol_area(mm, 0);
	return READ_ONCE(mm->uprobes_state.xol_area);
}

struct xol_area *get_xol_area(void)
{
	return xol_area_of(current->mm);
}

void uprobe_clear_state(struct mm_struct *mm)
{
	delayed_uprobe_remove(NULL, mm);
	uprobe_free_trampolines(mm);
	kfree(mm->uprobes_state.xol_area);
	mm->uprobes_state.xol_area = NULL;
}

unsigned long uprobe_get_trampoline_vaddr(void)
{
	struct xol_area *area = READ_ONCE(current->mm->uprobes_state.xol_area);

	return area ? area->vaddr : UPROBE_NO_TRAMPOLINE_VADDR;
}

/* True: *nr is ours. False: all taken, or somebody was faster with this one. */
static bool xol_get_slot_nr(struct xol_area *area, unsigned long *nr)
{
	*nr = find_first_zero_bit(area->bitmap, area->nr_slots);
	return *nr < area->nr_slots && !test_and_set_bit(*nr, area->bitmap);
}

/* The copy, and behind it what ends a slot that is not single-stepped. */
static int xol_fill_slot(struct uprobe *uprobe, unsigned long vaddr)
{
	const struct arch_ops *arch = sim_mm_arch(current->mm);
	unsigned char slot[ARCH_INSN_MAX + sizeof(arch->bp)];
	unsigned int len = uprobe->insn.len;

	memcpy(slot, uprobe->insn.slot, len);
	if (uprobe->insn.flags & ARCH_FALLS_THROUGH) {
		memcpy(slot + len, arch->bp, arch->bp_len);
		len += arch->bp_len;
	}
	return machine_write_slot(current->mm, vaddr, slot, len);
}

int xol_get_insn_slot(struct uprobe *uprobe, struct uprobe_task *utask)
{
	struct xol_area *area = get_xol_area();
	bool got = false;
	unsigned long nr;
	int err;

	if (!area)
		return -ENOMEM;

	wait_event(area->wq, (got = xol_get_slot_nr(area, &nr)) ||
				     machine_fatal_pending(current));
	if (!got)
		return -EINTR;

	utask->xol_vaddr = area->vaddr +
			   nr * sim_mm_arch(current->mm)->slot_bytes;
	err = xol_fill_slot(uprobe, utask->xol_vaddr);
	if (err)
		xol_free_insn_slot(utask);
	return err;
}

void xol_free_insn_slot(struct uprobe_task *utask)
{
	struct xol_area *area = current->mm->uprobes_state.xol_area;
	unsigned long vaddr = utask->xol_vaddr;
	unsigned long nr;

	if (!vaddr)
		return;
	utask->xol_vaddr = 0;

	nr = (vaddr - area->vaddr) / sim_mm_arch(current->mm)->slot_bytes;
	if (WARN_ON_ONCE(nr >= XOL_MAX_SLOTS))
		return;

	clear_bit(nr, area->bitmap);
	/*
	 * Pairs with the barrier in prepare_to_wait (P3): either the waiter
	 * sees the free slot, or we see the waiter.
	 */
	smp_mb__after_atomic();
	if (waitqueue_active(&area->wq))
		wake_up(&area->wq);
}

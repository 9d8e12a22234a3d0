// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_ref_ctr.c - reference counters: up with a breakpoint, down with its
 * removal, now or when their mapping comes, and never half.
 */
#include "fixture.h"
#include "machine.h"

#define COUNTER(n) (USER_DATA_OFFSET + 2 * (n))

static struct uprobe *try_count(struct counter *c, unsigned long offset,
				loff_t ref_ctr_offset)
{
	c->ref_ctr_offset = ref_ctr_offset;
	return try_add(c, offset, ENTRY);
}

static void count(struct counter *c, unsigned long offset, int n)
{
	BUG_ON(IS_ERR(try_count(c, offset, COUNTER(n))));
}

static void set_counter(int n, int value)
{
	BUG_ON(machine_write_counter(mm, USER_DATA + 2 * n, value));
}

/* One for each breakpoint, however many consumers it has. */
void case_ctr_mapped(void)
{
	struct counter a = {}, b = {}, other = {};

	fixture();
	user_map_data(mm, file);
	count(&a, F, 1);
	BUG_ON(user_counter(mm, 1) != 1 || user_counter(mm, 0));
	count(&b, F, 1);
	BUG_ON(user_counter(mm, 1) != 1);
	count(&other, G, 1);
	BUG_ON(user_counter(mm, 1) != 2);
	BUG_ON(!user_hit(USER_TEXT + F) || a.entries != 1 || b.entries != 1);

	del(&a);
	BUG_ON(user_counter(mm, 1) != 2);
	del(&other);
	BUG_ON(user_counter(mm, 1) != 1);
	del(&b);
	BUG_ON(user_counter(mm, 1) != 0 || breakpoint_at(F));
}

/* Text first, data later: counted once, when the data appears. */
void case_ctr_delayed(void)
{
	struct counter a = {}, b = {}, gone = {};

	fixture();
	count(&a, F, 0);
	count(&b, G, 1);
	count(&gone, H, 2);
	BUG_ON(!breakpoint_at(F) || !breakpoint_at(H));
	del(&gone);
	user_map_data(mm, file);
	BUG_ON(user_counter(mm, 0) != 1 || user_counter(mm, 1) != 1);
	BUG_ON(user_counter(mm, 2) != 0);

	/* The same data again is not counted again. */
	sim_vma_del(mm, USER_DATA, USER_DATA + PAGE_SIZE);
	user_map_data(mm, file);
	BUG_ON(user_counter(mm, 0) != 1);
	del(&a);
	del(&b);
	BUG_ON(user_counter(mm, 0) || user_counter(mm, 1));
}

/* A mapping that comes after the registration, text and data. */
void case_ctr_before_mmap(void)
{
	struct counter c = {};
	struct mm_struct *later;

	fixture();
	count(&c, F, 3);
	later = user_mm(file);
	user_map_data(later, file);
	BUG_ON(user_counter(later, 3) != 1 || user_counter(mm, 3) != 0);
	del(&c);
	BUG_ON(user_counter(later, 3) != 0);
}

void case_ctr_refused(void)
{
	struct counter a = {}, b = {};

	fixture();
	user_map_data(mm, file);
	BUG_ON(PTR_ERR(try_count(&a, F, COUNTER(0) + 1)) != -EINVAL);
	BUG_ON(breakpoint_at(F) || !no_uprobe_events());

	count(&a, F, 0);
	BUG_ON(PTR_ERR(try_count(&b, F, COUNTER(1))) != -EINVAL);
	BUG_ON(PTR_ERR(try_count(&b, F, 0)) != -EINVAL);
	BUG_ON(refcount_read(&a.uprobe->ref) != 1);
	BUG_ON(user_counter(mm, 0) != 1 || user_counter(mm, 1));
	del(&a);

	/* Once the probe is gone, so is its choice. */
	settle();
	count(&b, F, 1);
	BUG_ON(user_counter(mm, 1) != 1);
}

/* A counter never becomes negative, and then nothing else changes either. */
void case_ctr_negative(void)
{
	struct counter c = {};

	fixture();
	user_map_data(mm, file);
	set_counter(0, -2);
	BUG_ON(PTR_ERR(try_count(&c, F, COUNTER(0))) != -EINVAL);
	BUG_ON(user_counter(mm, 0) != 0xfffe || breakpoint_at(F));
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, mm));
	settle();
	BUG_ON(!no_uprobe_events());

	/* The program has reset its counter: the kernel leaves the breakpoint. */
	count(&c, F, 1);
	set_counter(1, 0);
	del(&c);
	BUG_ON(user_counter(mm, 1) != 0 || !breakpoint_at(F));
	BUG_ON(no_uprobe_events());
	BUG_ON(!user_hit(USER_TEXT + F)); /* and knows it as its own */
}

/* The text cannot be written: the counter is as it was, in both directions. */
void case_ctr_reverted(void)
{
	struct counter c = {}, waits = {};

	fixture();
	user_lock_text(mm, true);
	BUG_ON(PTR_ERR(try_count(&waits, G, COUNTER(1))) != -ENOMEM);
	user_map_data(mm, file);
	BUG_ON(user_counter(mm, 1));
	BUG_ON(PTR_ERR(try_count(&c, F, COUNTER(0))) != -ENOMEM);
	BUG_ON(user_counter(mm, 0) || breakpoint_at(F));

	user_lock_text(mm, false);
	count(&c, F, 0);
	user_lock_text(mm, true);
	del(&c);
	BUG_ON(user_counter(mm, 0) != 1 || !breakpoint_at(F));
}

/* Only a private writable mapping of this file counts. */
void case_ctr_other_vma(void)
{
	static const unsigned int other_flags[] = {
		SIM_VM_READ,
		SIM_VM_READ | SIM_VM_EXEC,
		SIM_VM_READ | SIM_VM_WRITE | SIM_VM_SHARED,
	};
	const unsigned char nop = USER_NOP;
	struct inode *other;
	struct counter c = {}, later = {};
	int i;

	fixture();
	count(&c, F, 0);
	for (i = 0; i < 3; i++) {
		BUG_ON(sim_vma_add(mm, file, USER_DATA, USER_DATA + PAGE_SIZE,
				   USER_DATA_OFFSET, other_flags[i]));
		count(&later, G, 0);
		BUG_ON(user_counter(mm, 0));
		del(&later);
		sim_vma_del(mm, USER_DATA, USER_DATA + PAGE_SIZE);
	}
	other = user_file(&nop, 1);
	user_map_data(mm, other);
	BUG_ON(user_counter(mm, 0));
	sim_vma_del(mm, USER_DATA, USER_DATA + PAGE_SIZE);

	/* The file, but the page before. */
	BUG_ON(sim_vma_add(mm, file, USER_DATA, USER_DATA + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_WRITE));
	BUG_ON(user_counter(mm, 0));
	sim_vma_del(mm, USER_DATA, USER_DATA + PAGE_SIZE);
	user_map_data(mm, file);
	BUG_ON(user_counter(mm, 0) != 1);
	del(&c);
}

/* What waits for data goes with the mm, and with the uprobe. */
void case_ctr_forgotten(void)
{
	struct counter c = {}, d = {};
	struct mm_struct *later;
	int objects;

	fixture();
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	count(&c, F, 0);
	settle();
	objects = world_objects();

	later = user_mm(file);
	BUG_ON(user_text(later, USER_TEXT + F) != USER_BP);
	kfree(sim_mm_priv(later));
	sim_mm_put(later);
	settle();
	BUG_ON(world_objects() != objects);

	del(&c);
	settle();
	objects = world_objects();
	count(&d, F, 0);
	BUG_ON(sim_vma_add(mm, file, USER_TEXT, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	del(&d);
	settle();
	BUG_ON(world_objects() != objects);
	/* The mm lives on; its data finds nothing that waits. */
	mm_flags_set(MMF_HAS_UPROBES, mm);
	count(&c, G, 1);
	user_map_data(mm, file);
	BUG_ON(user_counter(mm, 0));
}

/* No memory for what has to wait: no probe. */
void case_ctr_no_memory(void)
{
	struct counter c = {};
	int k, failed = 0;

	fixture();
	for (k = 1; k < 10; k++) {
		world_fail_alloc(k);
		if (IS_ERR(try_count(&c, F, COUNTER(0)))) {
			BUG_ON(breakpoint_at(F));
			failed++;
		} else {
			world_fail_alloc(0);
			del(&c);
		}
		settle();
		BUG_ON(!no_uprobe_events());
	}
	BUG_ON(failed < 3); /* uprobe, map_info, entry of the list */
	user_map_data(mm, file);
	BUG_ON(user_counter(mm, 0));
}

/* A filter changes its mind, and apply makes it so. */
void case_ctr_apply(void)
{
	struct counter c = { .refuse = true }, plain = {}, stranger = {};

	fixture();
	user_map_data(mm, file);
	c.ref_ctr_offset = COUNTER(0);
	add(&c, F, ENTRY | FILTER);
	BUG_ON(breakpoint_at(F) || user_counter(mm, 0));

	c.refuse = false;
	BUG_ON(uprobe_apply(c.uprobe, &c.uc, true));
	BUG_ON(!breakpoint_at(F) || user_counter(mm, 0) != 1);
	BUG_ON(uprobe_apply(c.uprobe, &c.uc, true));
	BUG_ON(user_counter(mm, 0) != 1);

	c.refuse = true;
	BUG_ON(uprobe_apply(c.uprobe, &c.uc, false));
	BUG_ON(breakpoint_at(F) || user_counter(mm, 0));
	c.refuse = false;
	BUG_ON(uprobe_apply(c.uprobe, &c.uc, true) || !breakpoint_at(F));

	/* Removed only if nobody wants it. */
	count(&plain, F, 0);
	c.refuse = true;
	BUG_ON(uprobe_apply(c.uprobe, &c.uc, false));
	BUG_ON(!breakpoint_at(F) || user_counter(mm, 0) != 1);
	del(&plain);
	BUG_ON(breakpoint_at(F) || user_counter(mm, 0));

	BUG_ON(uprobe_apply(c.uprobe, &stranger.uc, true) != -ENOENT);
	BUG_ON(breakpoint_at(F));
}

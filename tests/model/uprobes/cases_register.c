// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_register.c - probes come and go; where breakpoints are meanwhile.
 */
#include <linux/rcupdate_trace.h>
#include "fixture.h"
#include "machine.h"

void case_reg_refused(void)
{
	struct counter c = {};

	fixture();
	BUG_ON(PTR_ERR(try_add(&c, REFUSED, ENTRY)) != -ENOTSUPP);
	BUG_ON(PTR_ERR(try_add(&c, FOREIGN, ENTRY)) != -ENOTSUPP);
	BUG_ON(user_text(mm, USER_TEXT + REFUSED) != USER_HLT);
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, mm));
	settle();
	BUG_ON(!no_uprobe_events());
}

void case_reg_errors(void)
{
	struct counter c = {};

	fixture();
	BUG_ON(PTR_ERR(try_add(&c, F, 0)) != -EINVAL);
	BUG_ON(PTR_ERR(try_add(&c, USER_TEXT_BYTES + 1, ENTRY)) != -EINVAL);
	BUG_ON(PTR_ERR(try_add(&c, -1, ENTRY)) != -EINVAL);
	BUG_ON(PTR_ERR(try_add(&c, USER_TEXT_BYTES, ENTRY)) != -EIO);
}

void case_reg_two_consumers(void)
{
	struct counter a = {}, b = {};

	fixture();
	add(&a, F, ENTRY);
	add(&b, F, ENTRY);
	BUG_ON(a.uprobe != b.uprobe);
	BUG_ON(!user_hit(USER_TEXT + F) || a.entries != 1 || b.entries != 1);

	del(&a);
	BUG_ON(!breakpoint_at(F));
	BUG_ON(!user_hit(USER_TEXT + F) || a.entries != 1 || b.entries != 2);

	del(&b);
	BUG_ON(breakpoint_at(F));
	BUG_ON(user_log(task[0])->ax != 2);
}

/* A breakpoint is where somebody wants it, and as long as somebody does. */
void case_reg_filter(void)
{
	struct counter no = { .refuse = true }, yes = {};

	fixture();
	add(&no, F, ENTRY | FILTER);
	BUG_ON(breakpoint_at(F));
	add(&yes, F, ENTRY | FILTER);
	BUG_ON(!breakpoint_at(F));
	del(&yes);
	BUG_ON(breakpoint_at(F));
}

void case_reg_before_mmap(void)
{
	struct counter c = {}, no = { .refuse = true };
	struct mm_struct *other;

	fixture();
	add(&c, F, ENTRY);
	add(&no, G, ENTRY | FILTER);
	other = user_mm(file);
	BUG_ON(user_text(other, USER_TEXT + F) != USER_BP);
	BUG_ON(user_text(other, USER_TEXT + G) != USER_NOP);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	del(&c);
	BUG_ON(user_text(other, USER_TEXT + F) != USER_INC);
}

/* REMOVE takes effect when all say it and no filter accepts the mm. */
void case_reg_remove_by_rc(void)
{
	struct counter a = {}, b = { .rc = UPROBE_HANDLER_REMOVE };

	fixture();
	add(&a, F, ENTRY | FILTER);
	add(&b, F, ENTRY | FILTER);
	user_hit(USER_TEXT + F);
	BUG_ON(!breakpoint_at(F));

	a.rc = UPROBE_HANDLER_REMOVE;
	user_hit(USER_TEXT + F);
	BUG_ON(!breakpoint_at(F));

	a.refuse = true;
	user_hit(USER_TEXT + F);
	BUG_ON(!breakpoint_at(F));

	b.refuse = true;
	b.rc = 0;
	user_hit(USER_TEXT + F);
	BUG_ON(!breakpoint_at(F));

	b.rc = UPROBE_HANDLER_REMOVE;
	BUG_ON(!user_hit(USER_TEXT + F) || breakpoint_at(F));
	BUG_ON(a.entries != 5 || user_log(task[0])->ax != 5);
	user_hit(USER_TEXT + F);
	BUG_ON(a.entries != 5);
}

/*
 * When the last mapping with a probe goes, the mm's flag becomes stale, and the
 * next miss finds out: the program's own breakpoint.
 */
void case_reg_munmap_recalc(void)
{
	struct counter c = {};
	struct pt_regs regs = { .ip = USER_TEXT + PAGE_SIZE + 1 };
	struct sim_resume r;

	fixture();
	add(&c, F, ENTRY);
	BUG_ON(!mm_flags_test(MMF_HAS_UPROBES, mm));
	BUG_ON(mm_flags_test(MMF_RECALC_UPROBES, mm));

	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(!mm_flags_test(MMF_HAS_UPROBES, mm));
	BUG_ON(!mm_flags_test(MMF_RECALC_UPROBES, mm));

	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	sim_user_resume(&regs, &r);
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, mm));
	BUG_ON(sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
}

/* Out of the tree and freed once the last reference is gone, not before. */
void case_reg_last_freed(void)
{
	struct counter c = {};
	struct uprobe *old;

	fixture();
	add(&c, F, ENTRY);
	old = try_get_uprobe(c.uprobe);
	BUG_ON(!old);
	del(&c);
	settle();
	BUG_ON(no_uprobe_events());

	put_uprobe(old);
	/* The corpse is in the tree until its work runs; a new one replaces it. */
	BUG_ON(no_uprobe_events() || try_get_uprobe(old));
	add(&c, F, ENTRY);
	BUG_ON(c.uprobe == old || uprobe_is_active(old));
	settle();
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);
	del(&c);
	settle();
	BUG_ON(!no_uprobe_events());
}

static bool reader_left;

static void reader_leaves(void)
{
	user_begin(task[1]);
	reader_left = true;
	rcu_read_unlock_trace();
}

/* A handler may still be running; unregistering waits for it. */
void case_reg_sync_waits(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_begin(task[1]);
	rcu_read_lock_trace();
	user_begin(task[0]);
	world_on_sleep(reader_leaves);
	del(&c);
	BUG_ON(!reader_left);
}

/* Somebody else has put his own byte there: it is not ours to restore. */
void case_reg_other_bytes(void)
{
	const unsigned char byte = USER_HLT;
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	machine_write_text(mm, USER_TEXT + F, &byte, 1);
	del(&c);
	BUG_ON(user_text(mm, USER_TEXT + F) != USER_HLT);
}

/* Where nothing can be written, nothing is registered. */
void case_reg_write_fails(void)
{
	struct counter c = {};

	fixture();
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(sim_vma_add(mm, file, USER_TEXT + PAGE_SIZE,
			   USER_TEXT + 2 * PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
	BUG_ON(PTR_ERR(try_add(&c, F, ENTRY)) != -EFAULT);
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, mm));
	settle();
	BUG_ON(!no_uprobe_events());
}

void case_reg_ranges(void)
{
	struct counter c = {};

	fixture();
	add(&c, H, ENTRY);
	BUG_ON(range_has_uprobes(file, 0, H));
	BUG_ON(!range_has_uprobes(file, 0, H + 1));
	BUG_ON(range_has_uprobes(file, H + 1, 8));
	del(&c);
	/* The flag may be stale now; a miss finds out. */
	BUG_ON(!mm_flags_test(MMF_RECALC_UPROBES, mm));
	settle();
	BUG_ON(user_hit(USER_TEXT + FOREIGN));
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, mm));
}

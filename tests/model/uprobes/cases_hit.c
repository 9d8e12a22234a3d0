// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_hit.c - a breakpoint is hit: emulated, stepped, redirected, not ours.
 */
#include "fixture.h"

void case_hit_emulated(void)
{
	struct counter c = {};

	fixture();
	add(&c, G, ENTRY);
	BUG_ON(!breakpoint_at(G));
	BUG_ON(!user_hit(USER_TEXT + G));
	BUG_ON(c.entries != 1 || user_log(task[0])->steps != 0);
	del(&c);
	BUG_ON(breakpoint_at(G));
	BUG_ON(!user_hit(USER_TEXT + G) || c.entries != 1);
}

void case_hit_stepped(void)
{
	struct counter c = {};
	int i;

	fixture();
	add(&c, F, ENTRY);
	for (i = 1; i <= 3; i++) {
		BUG_ON(!user_hit(USER_TEXT + F));
		BUG_ON(c.entries != i);
		BUG_ON(user_log(task[0])->steps != i);
		BUG_ON(user_log(task[0])->ax != i);
		check_idle();
	}
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	del(&c);
}

static int redirect(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	BUG_ON(regs->ip != USER_TEXT + F); /* handlers see the probed place */
	regs->ip = CALLER;
	return 0;
}

/* Since 6.18 a handler that moves ip replaces the instruction. */
void case_hit_redirected(void)
{
	struct uprobe_consumer uc = { .handler = redirect };

	fixture();
	BUG_ON(IS_ERR(uprobe_register(file, F, 0, &uc)));
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->ax != 0);
}

/* The program's own breakpoint stays its own, probes or none. */
void case_hit_foreign(void)
{
	struct counter c = {};

	fixture();
	BUG_ON(user_hit(USER_TEXT + FOREIGN));
	BUG_ON(user_log(task[0])->killed != SIGTRAP);

	add(&c, F, ENTRY);
	user_begin(task[1]);
	BUG_ON(user_hit(USER_TEXT + FOREIGN));
	BUG_ON(user_log(task[1])->killed != SIGTRAP || c.entries);
}

/* A uprobe that is in the tree but not analysed: the hit restarts (B42). */
void case_hit_unprepared(void)
{
	struct counter c = {};
	struct pt_regs regs = { .ip = USER_TEXT + F + 1 };
	struct sim_resume r;

	fixture();
	add(&c, F, ENTRY);
	clear_bit(UPROBE_COPY_INSN, &c.uprobe->flags);
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	sim_user_resume(&regs, &r);
	BUG_ON(r.step || regs.ip != USER_TEXT + F || c.entries);

	set_bit(UPROBE_COPY_INSN, &c.uprobe->flags);
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);
}

/* The breakpoint goes between trap and handling: no signal, another try. */
void case_hit_raced(void)
{
	struct counter c = {}, other = {};
	struct pt_regs regs = { .ip = USER_TEXT + F + 1 };
	struct sim_resume r;

	fixture();
	add(&c, F, ENTRY);
	add(&other, G, ENTRY);
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	del(&c);
	settle();
	sim_user_resume(&regs, &r);
	BUG_ON(r.step || r.signals || r.force_sig);
	BUG_ON(regs.ip != USER_TEXT + F || c.entries);
}

/* A hit takes no lock of the mm, if nobody changes its mappings. */
void case_hit_lockless(void)
{
	struct counter c = {};

	fixture();
	add(&c, G, ENTRY);
	down_write(&mm->mmap_lock); /* hangs if it is waited for */
	BUG_ON(!user_hit(USER_TEXT + G) || c.entries != 1);
	up_write(&mm->mmap_lock);
}

/* If somebody is about to, it asks again with the lock. */
void case_hit_locked(void)
{
	struct counter c = {};

	fixture();
	add(&c, G, ENTRY);
	raw_write_seqcount_begin(&mm->mm_lock_seq);
	BUG_ON(!user_hit(USER_TEXT + G) || c.entries != 1);
	raw_write_seqcount_end(&mm->mm_lock_seq);
}

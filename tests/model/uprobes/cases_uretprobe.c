// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_uretprobe.c - hijacked returns: nesting, chains, longjmp, sessions.
 */
#include "fixture.h"

void case_ret_simple(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(current->utask->depth != 1);
	BUG_ON(user_return() != CALLER);
	BUG_ON(c.entries != 1 || c.returns != 1 || c.func != USER_TEXT + F);
	BUG_ON(current->utask->depth || innermost());
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	del(&c);
}

/* A tail call: two instances, one stack word, returned from inside out. */
void case_ret_chained(void)
{
	struct counter f = {}, g = {};

	fixture();
	add(&f, F, RETURN);
	add(&g, G, RETURN);
	user_call(USER_TEXT + F, CALLER);
	user_hit(USER_TEXT + G);
	BUG_ON(current->utask->depth != 2 || !innermost()->chained);
	BUG_ON(innermost()->orig_ret_vaddr != CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(g.order != 1 || f.order != 2 || order != 2);
	BUG_ON(g.func != USER_TEXT + G);
}

void case_ret_recursive(void)
{
	struct counter c = {};
	int i;

	fixture();
	add(&c, F, RETURN);
	for (i = 0; i < 5; i++)
		user_call(USER_TEXT + F, CALLER + i);
	while (i--)
		BUG_ON(user_return() != CALLER + i);
	BUG_ON(c.returns != 5);
}

/* Frames left by longjmp are noticed at the next call on the same stack. */
void case_ret_longjmp_entry(void)
{
	struct counter c = {};
	unsigned long sp;
	int round, i;

	fixture();
	add(&c, F, ENTRY | RETURN);
	for (round = 0; round < 50; round++) {
		sp = user_sp();
		for (i = 0; i < 11; i++)
			user_call(USER_TEXT + F, CALLER);
		user_longjmp(sp);
	}
	user_call(USER_TEXT + F, CALLER);
	BUG_ON(current->utask->depth != 1);
	BUG_ON(user_return() != CALLER);
	BUG_ON(c.entries != 551 || c.returns != 1);
	del(&c); /* hangs if a lease was lost */
}

/* longjmp into a frame that is followed, which then returns. */
void case_ret_longjmp_ret(void)
{
	struct counter f = {}, g = {};
	unsigned long sp;

	fixture();
	add(&f, F, RETURN);
	add(&g, G, RETURN);
	user_call(USER_TEXT + G, CALLER + 1);
	sp = user_sp();
	user_call(USER_TEXT + F, CALLER + 2);
	user_call(USER_TEXT + F, CALLER + 3);
	user_longjmp(sp);
	BUG_ON(user_return() != CALLER + 1);
	BUG_ON(g.returns != 1 || f.returns != 0);
	BUG_ON(current->utask->depth || innermost());
}

static int nr_left;

static void note_left(unsigned long func)
{
	BUG_ON(func != USER_TEXT + F);
	nr_left++;
}

static unsigned long word_at(unsigned long addr)
{
	unsigned long word;

	BUG_ON(machine_read(current->mm, addr, &word, sizeof(word)));
	return word;
}

/*
 * An unwinder finds the true addresses and leaves two frames; the third returns.
 * What still has ours in memory may return, too, and is not forgotten.
 */
void case_ret_unwinder(void)
{
	struct counter f = {}, g = {};
	unsigned long sp, slot[2];

	fixture();
	add(&f, F, RETURN);
	add(&g, G, RETURN);
	user_call(USER_TEXT + G, CALLER + 1);
	sp = user_sp();
	user_call(USER_TEXT + F, CALLER + 2);
	slot[1] = user_sp();
	user_call(USER_TEXT + F, CALLER + 3);
	slot[0] = user_sp();

	sim_ret_forget(slot[0], sp, note_left);
	BUG_ON(nr_left);
	BUG_ON(sim_ret_reveal() != 3);
	BUG_ON(word_at(slot[0]) != CALLER + 3);
	BUG_ON(word_at(slot[1]) != CALLER + 2);
	BUG_ON(word_at(sp) != CALLER + 1);

	/* One within another hides nothing of what the outer one reads. */
	sim_ret_hide(2);
	BUG_ON(word_at(slot[0]) != uprobe_get_trampoline_vaddr());
	BUG_ON(word_at(slot[1]) != CALLER + 2);
	sim_ret_reveal();

	sim_ret_forget(slot[0], sp, note_left);
	BUG_ON(nr_left != 2 || current->utask->depth != 1);
	sim_ret_hide(0);
	user_longjmp(sp);
	BUG_ON(user_return() != CALLER + 1);
	BUG_ON(g.returns != 1 || f.returns != 0);
	BUG_ON(current->utask->depth || innermost());
}

/* A whole chain is left by longjmp: nobody of it has returned. */
void case_ret_longjmp_chain(void)
{
	struct counter f = {}, g = {}, h = {};
	unsigned long sp;

	fixture();
	add(&f, F, RETURN);
	add(&g, G, RETURN);
	add(&h, H, RETURN);
	user_call(USER_TEXT + G, CALLER + 1);
	user_hit(USER_TEXT + H);
	sp = user_sp();
	user_call(USER_TEXT + F, CALLER + 2);
	user_hit(USER_TEXT + H);
	user_hit(USER_TEXT + F);
	BUG_ON(current->utask->depth != 5);
	user_longjmp(sp);
	BUG_ON(user_return() != CALLER + 1);
	BUG_ON(f.returns || g.returns != 1 || h.returns != 1);
	BUG_ON(current->utask->depth || innermost());
	del(&f); /* hangs if a lease was lost */
}

/* Every jump of a chain counts for the limit, though it is one frame. */
void case_ret_long_chain(void)
{
	struct counter c = {};
	int i;

	fixture();
	add(&c, F, ENTRY | RETURN);
	user_call(USER_TEXT + F, CALLER);
	for (i = 1; i < 65; i++)
		user_hit(USER_TEXT + F);
	BUG_ON(current->utask->depth != MAX_URETPROBE_DEPTH);
	BUG_ON(user_return() != CALLER);
	BUG_ON(c.entries != 65 || c.returns != 64);
}

static int calls, seen_at[8], nr_seen;

static int every_other(struct uprobe_consumer *self, struct pt_regs *regs,
		       u64 *data)
{
	*data = 100 + ++calls;
	return calls % 2 ? 0 : UPROBE_HANDLER_IGNORE;
}

static int sees_cookie(struct uprobe_consumer *self, unsigned long func,
		       struct pt_regs *regs, u64 *data)
{
	seen_at[nr_seen++] = *data;
	return 0;
}

/* Recursion: each return sees the cookie of its own call. */
void case_ret_cookies(void)
{
	struct uprobe_consumer uc = { .handler = every_other,
				      .ret_handler = sees_cookie };
	int i;

	fixture();
	BUG_ON(IS_ERR(uprobe_register(file, F, 0, &uc)));
	for (i = 0; i < 6; i++)
		user_call(USER_TEXT + F, CALLER + i);
	BUG_ON(current->utask->depth != 3);
	while (i--)
		BUG_ON(user_return() != CALLER + i);
	BUG_ON(nr_seen != 3);
	BUG_ON(seen_at[0] != 105 || seen_at[1] != 103 || seen_at[2] != 101);
}

/* The outermost 64 calls are followed; deeper ones return by themselves. */
void case_ret_depth(void)
{
	struct counter c = {};
	int i;

	fixture();
	add(&c, F, ENTRY | RETURN);
	for (i = 0; i < 70; i++)
		user_call(USER_TEXT + F, CALLER + i);
	BUG_ON(current->utask->depth != MAX_URETPROBE_DEPTH);
	while (i--) {
		BUG_ON(user_return() != CALLER + i);
		BUG_ON(c.returns != (i < 64 ? 64 - i : 0));
	}
	BUG_ON(c.entries != 70 || current->utask->depth);
}

/* Each session gets its own cookie back, the third from the array, too. */
void case_ret_sessions(void)
{
	struct counter c[4] = { { .cookie = 11 },
				{ .cookie = 22 },
				{ .cookie = 33 },
				{ .cookie = 44 } };
	int i, round;

	fixture();
	for (i = 0; i < 4; i++)
		add(&c[i], F, i == 1 ? RETURN : ENTRY | RETURN);
	for (round = 1; round <= 2; round++) {
		user_call(USER_TEXT + F, CALLER);
		BUG_ON(innermost()->cons_cnt != 3);
		BUG_ON(user_return() != CALLER);
		for (i = 0; i < 4; i++) {
			BUG_ON(c[i].returns != round);
			BUG_ON(c[i].seen != (i == 1 ? 0 : c[i].cookie));
		}
	}
}

/* Who registers during the call: a plain one hears of the return. */
void case_ret_late_consumer(void)
{
	struct counter early = {}, plain = {}, session = {}, gone = {};

	fixture();
	add(&early, F, ENTRY | RETURN);
	add(&gone, F, ENTRY | RETURN);
	user_call(USER_TEXT + F, CALLER);
	add(&plain, F, RETURN);
	add(&session, F, ENTRY | RETURN);
	del(&gone);
	BUG_ON(user_return() != CALLER);
	BUG_ON(early.returns != 1 || plain.returns != 1);
	BUG_ON(session.returns || gone.returns);
}

/* IGNORE and REMOVE give up the return, each for its own consumer only. */
void case_ret_ignore(void)
{
	struct counter a = { .rc = UPROBE_HANDLER_IGNORE }, b = {};
	struct counter r = { .rc = UPROBE_HANDLER_REMOVE };

	fixture();
	add(&a, F, ENTRY | RETURN);
	add(&r, F, ENTRY | RETURN);
	user_call(USER_TEXT + F, CALLER);
	BUG_ON(current->utask->depth);
	BUG_ON(user_return() != CALLER);

	add(&b, F, ENTRY | RETURN);
	user_call(USER_TEXT + F, CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(a.returns || r.returns || b.returns != 1);
}

/* Who runs into the trampoline without a call gets SIGILL. */
void case_ret_stray(void)
{
	struct counter c = {};
	struct pt_regs regs = {};
	struct sim_resume r;

	fixture();
	add(&c, F, RETURN);
	user_limit_slots(mm, 1);
	regs.ip = uprobe_get_trampoline_vaddr() + 1;
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	sim_user_resume(&regs, &r);
	BUG_ON(r.force_sig != SIGILL);
}

/* No probe is left in the mm, but a return is pending: its trap is ours. */
void case_ret_flag_gone(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	del(&c);
	mm_flags_clear(MMF_HAS_UPROBES, mm);
	BUG_ON(user_return() != CALLER || user_log(task[0])->killed);
}

static int tears_store(struct uprobe_consumer *self, struct pt_regs *regs,
		       u64 *data)
{
	user_tear_store(mm);
	return 0;
}

/* The return address is lost half-way: there is no way on for the program. */
void case_ret_clobbered(void)
{
	struct uprobe_consumer uc = { .handler = tears_store };
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(IS_ERR(uprobe_register(file, F, 0, &uc)));
	BUG_ON(user_call(USER_TEXT + F, CALLER));
	BUG_ON(user_log(task[0])->killed != SIGSEGV);
	BUG_ON(c.entries != 1 || current->utask->depth || innermost());
	del(&c); /* hangs if a lease was taken */
}

/* Where the return address is in a register: swapped, unless it is signed. */
void case_ret_link_register(void)
{
	unsigned long plain = 0xaaaabbbb0004, sealed = 0x002faaaabbbb0004;
	struct pt_regs regs = {};

	fixture();
	current->mm = sim_mm_new(&arch_arm64, NULL);
	regs.a64.regs[30] = plain;
	BUG_ON(arch_uretprobe_hijack_return_addr(CALLER, &regs) != plain);
	BUG_ON(regs.a64.regs[30] != CALLER);

	regs.a64.regs[30] = sealed;
	BUG_ON(arch_uretprobe_hijack_return_addr(CALLER, &regs) != -1UL);
	BUG_ON(regs.a64.regs[30] != sealed);
	current->mm = mm;
}

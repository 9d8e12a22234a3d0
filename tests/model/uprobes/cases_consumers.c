// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_consumers.c - who hears of what: every set of consumers before a call and
 * after it, every pair of return codes; what they see and change. Much of it is what
 * the kernel's own tests assert, see conformance.md.
 */
#include "fixture.h"

/* The four kinds, as bits of a set. */
enum { PLAIN, RETURNS, SESSION, IGNORES, KINDS };

static const struct {
	int what, rc;
} kinds[KINDS] = {
	[PLAIN] = { ENTRY },
	[RETURNS] = { RETURN },
	[SESSION] = { ENTRY | RETURN },
	[IGNORES] = { ENTRY | RETURN, UPROBE_HANDLER_IGNORE },
};

static bool in(int set, int kind)
{
	return set & 1 << kind;
}

/* Calls whose return is followed. A task that was never hit has no utask. */
static int followed(void)
{
	return current->utask ? current->utask->depth : 0;
}

/* Who is in `from` only leaves, then who is in `to` only comes. */
static void change(struct counter *c, int from, int to)
{
	int k;

	for (k = 0; k < KINDS; k++) {
		if (in(from & ~to, k))
			del(&c[k]);
	}
	for (k = 0; k < KINDS; k++) {
		if (in(to & ~from, k))
			add(&c[k], F, kinds[k].what);
	}
}

/*
 * One call, with the set `before` on entry and `after` on return. The return is
 * followed if somebody asked for it on entry; it is told to consumers of the same
 * uprobe only. That lives on if one of them stays, or if the call's lease has become
 * a reference: after a while (traded), or because the first of several that leave
 * waits for the lease.
 */
static void call_between(int before, int after, bool traded)
{
	struct counter c[KINDS] = {};
	bool asked = in(before, RETURNS) || in(before, SESSION);
	bool lives = before & after || traded || before & (before - 1);
	int k;

	for (k = 0; k < KINDS; k++) {
		c[k].rc = kinds[k].rc;
		c[k].cookie = 10 + k;
	}
	change(c, 0, before);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(followed() != asked);
	if (traded)
		world_advance(HZ);
	change(c, before, after);
	BUG_ON(user_return() != CALLER);

	for (k = 0; k < KINDS; k++)
		BUG_ON(c[k].entries != (k != RETURNS && in(before, k)));
	BUG_ON(c[PLAIN].returns || c[IGNORES].returns);
	BUG_ON(c[RETURNS].returns != (asked && lives && in(after, RETURNS)));
	BUG_ON(c[SESSION].returns != in(before & after, SESSION));
	BUG_ON(c[SESSION].returns && c[SESSION].seen != 10 + SESSION);
	BUG_ON(followed());
	change(c, after, 0);
	settle();
	BUG_ON(!no_uprobe_events());
}

static void matrix(bool traded)
{
	int before, after;

	fixture();
	for (before = 0; before < 1 << KINDS; before++) {
		for (after = 0; after < 1 << KINDS; after++)
			call_between(before, after, traded);
	}
}

void case_con_matrix(void)
{
	matrix(false);
}

/* The same with a call that takes long. */
void case_con_matrix_traded(void)
{
	matrix(true);
}

/*
 * Two sessions, each with any return code and either answer of its filter: the probe
 * leaves the mm if both ask for it and no filter wants it; who returned 0 hears of
 * the return, whatever the other one said.
 */
static void two_codes(int rc0, int rc1, bool refuse0, bool refuse1)
{
	struct counter c[2] = { { .rc = rc0 }, { .rc = rc1 } };
	bool gone = rc0 == UPROBE_HANDLER_REMOVE &&
		    rc1 == UPROBE_HANDLER_REMOVE && refuse0 && refuse1;

	add(&c[0], F, ENTRY | RETURN | FILTER);
	add(&c[1], F, ENTRY | RETURN | FILTER);
	c[0].refuse = refuse0;
	c[1].refuse = refuse1;
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(breakpoint_at(F) == gone);
	BUG_ON(user_return() != CALLER);
	BUG_ON(c[0].entries != 1 || c[1].entries != 1);
	BUG_ON(c[0].returns != !rc0 || c[1].returns != !rc1);
	del(&c[0]);
	del(&c[1]);
	BUG_ON(breakpoint_at(F));
}

void case_con_codes(void)
{
	int rc0, rc1, refuse;

	fixture();
	for (rc0 = 0; rc0 <= UPROBE_HANDLER_IGNORE; rc0++) {
		for (rc1 = 0; rc1 <= UPROBE_HANDLER_IGNORE; rc1++) {
			for (refuse = 0; refuse < 4; refuse++)
				two_codes(rc0, rc1, refuse & 1, refuse & 2);
		}
	}
}

/* Three sessions on one function: only who asked for it hears of the return. */
void case_con_single(void)
{
	struct counter c[3] = { { .rc = UPROBE_HANDLER_IGNORE },
				{ .cookie = 7 },
				{ .rc = UPROBE_HANDLER_REMOVE } };
	int i, calls;

	fixture();
	for (i = 0; i < 3; i++)
		add(&c[i], F, ENTRY | RETURN);
	for (calls = 1; calls <= 3; calls++) {
		BUG_ON(!user_call(USER_TEXT + F, CALLER));
		BUG_ON(innermost()->cons_cnt != 1);
		BUG_ON(user_return() != CALLER);
		for (i = 0; i < 3; i++) {
			BUG_ON(c[i].entries != calls);
			BUG_ON(c[i].returns != (i == 1 ? calls : 0));
		}
		BUG_ON(c[1].seen != 7);
	}
}

/* Several probes at once, the last one refused: the others leave, with one wait. */
void case_con_batch(void)
{
	struct counter c[4] = {};
	int objects, i;

	fixture();
	objects = world_objects();
	for (i = 0; i < 3; i++)
		add(&c[i], F + i, ENTRY | RETURN);
	BUG_ON(PTR_ERR(try_add(&c[3], FOREIGN, ENTRY)) != -ENOTSUPP);
	for (i = 0; i < 3; i++)
		uprobe_unregister_nosync(c[i].uprobe, &c[i].uc);
	uprobe_unregister_sync();
	settle();
	BUG_ON(!no_uprobe_events() || world_objects() != objects);
	BUG_ON(breakpoint_at(F) || breakpoint_at(G) || breakpoint_at(H));
	BUG_ON(!breakpoint_at(FOREIGN));
}

/* As often as it is called, it counts. */
void case_con_many(void)
{
	struct counter c = {};
	int i;

	fixture();
	add(&c, F, ENTRY | RETURN);
	for (i = 0; i < 50000; i++) {
		user_call(USER_TEXT + F, CALLER);
		user_return();
		if (i % 64 == 0)
			settle(); /* what waits to be freed */
	}
	BUG_ON(c.entries != 50000 || c.returns != 50000);
	BUG_ON(user_log(task[0])->ax != 50000);
}

/* ---- registers ------------------------------------------------------------- */

static struct pt_regs seen_in, seen_out;
static unsigned long put_in, put_out;

static int look_in(struct uprobe_consumer *self, struct pt_regs *regs,
		   u64 *data)
{
	seen_in = *regs;
	if (put_in)
		regs->ax = regs->cx = regs->r11 = put_in;
	return 0;
}

static int look_out(struct uprobe_consumer *self, unsigned long func,
		    struct pt_regs *regs, u64 *data)
{
	seen_out = *regs;
	if (put_out)
		regs->ax = regs->cx = regs->r11 = put_out;
	return 0;
}

static struct uprobe_consumer looks = { .handler = look_in,
					.ret_handler = look_out };

/* From the trap at addr until the task is back in user mode. */
static void trap_at(unsigned long addr, struct pt_regs *regs)
{
	struct sim_resume r;

	regs->ip = addr + 1;
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, regs));
	sim_user_resume(regs, &r);
	BUG_ON(r.step || r.signals || r.force_sig);
}

/* They differ in ip alone, and in what `put` was put into, if anything. */
static void check_same(const struct pt_regs *a, const struct pt_regs *b,
		       unsigned long put)
{
	const unsigned long *x = (const unsigned long *)a;
	const unsigned long *y = (const unsigned long *)b;
	int i, differ = 0, changed = 0;

	for (i = 0; i < sizeof(*a) / sizeof(*x); i++) {
		if (x[i] == y[i] || &x[i] == &a->ip)
			continue;
		differ++;
		changed += y[i] == put;
	}
	BUG_ON(differ != (put ? 3 : 0) || changed != differ);
}

static void call_with_registers(unsigned long in, unsigned long out)
{
	struct pt_regs before, regs = {};
	unsigned long *word = (unsigned long *)&regs, caller = CALLER;
	int i;

	for (i = 0; i < sizeof(regs) / sizeof(*word); i++)
		word[i] = 0x1000 + i;
	regs.sp = user_sp() - sizeof(caller);
	BUG_ON(machine_write(current->mm, regs.sp, &caller, sizeof(caller)));
	put_in = in;
	put_out = out;

	before = regs;
	trap_at(USER_TEXT + G, &regs);
	BUG_ON(seen_in.ip != USER_TEXT + G || regs.ip != USER_TEXT + G + 1);
	check_same(&before, &seen_in, 0);
	check_same(&before, &regs, in);

	before = regs;
	regs.sp += sizeof(caller); /* ret has taken the word */
	before.sp = regs.sp;
	trap_at(uprobe_get_trampoline_vaddr(), &regs);
	BUG_ON(seen_out.ip != CALLER || regs.ip != CALLER);
	check_same(&before, &seen_out, 0);
	check_same(&before, &regs, out);
	BUG_ON(current->utask->depth);
}

/* All are as without a probe, in handlers and behind them. */
void case_con_registers(void)
{
	fixture();
	BUG_ON(IS_ERR(uprobe_register(file, G, 0, &looks)));
	call_with_registers(0, 0);
}

/* What a handler changes is changed, on entry and on return, and nothing else. */
void case_con_registers_put(void)
{
	fixture();
	BUG_ON(IS_ERR(uprobe_register(file, G, 0, &looks)));
	call_with_registers(0x77, 0);
	call_with_registers(0, 0x88);
	call_with_registers(0x77, 0x88);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_step.c - slots, signals during a step, and detaching.
 */
#include "fixture.h"

static unsigned long slots_used(void)
{
	return mm->uprobes_state.xol_area->bitmap[0];
}

void case_xol_creation(void)
{
	struct counter c = {};
	struct xol_area *area;

	fixture();
	BUG_ON(uprobe_get_trampoline_vaddr() != UPROBE_NO_TRAMPOLINE_VADDR);
	add(&c, G, ENTRY);
	BUG_ON(!user_hit(USER_TEXT + G));
	BUG_ON(mm->uprobes_state.xol_area); /* nothing needed one yet */

	area = get_xol_area();
	BUG_ON(!area || area->nr_slots != 16 || get_xol_area() != area);
	BUG_ON(area->bitmap[0] != 1);
	BUG_ON(user_text(mm, uprobe_get_trampoline_vaddr()) != USER_BP);
	BUG_ON(user_text(mm, uprobe_get_trampoline_vaddr() + 1) != 0);
}

/* task[0] as somebody who stays in his slot until told to leave it. */
static struct pt_regs stepping;

static void enter_slot(void)
{
	struct sim_resume r;

	user_begin(task[0]);
	stepping.ip = USER_TEXT + F + 1;
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &stepping));
	sim_user_resume(&stepping, &r);
	BUG_ON(!r.step || r.vaddr != USER_TEXT + F || r.insn->len != 1);
	BUG_ON(user_text(mm, stepping.ip) != USER_INC);
	BUG_ON(slots_used() != 3);
}

static void leave_slot(void)
{
	struct sim_resume r;

	user_begin(task[0]);
	stepping.ip++;
	BUG_ON(!sim_user_trap(SIM_TRAP_STEP, 0, &stepping));
	sim_user_resume(&stepping, &r);
	BUG_ON(r.step || stepping.ip != USER_TEXT + F + 1);
}

static int sleeps;

static void leave_when_waited_for(void)
{
	sleeps++;
	BUG_ON(task[1]->utask->active_uprobe || task[1]->utask->xol_vaddr);
	leave_slot();
}

/* One slot: the second task waits for it, and gets it. */
void case_xol_exhausted(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_limit_slots(mm, 2);
	enter_slot();

	user_begin(task[1]);
	world_on_sleep(leave_when_waited_for);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(sleeps != 1 || c.entries != 2);
	BUG_ON(user_log(task[1])->ax != 1);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	check_idle();
}

static void kill_waiter(void)
{
	user_signal(task[1], true);
}

/* A fatal signal ends the wait for a slot, without taking one. */
void case_xol_fatal(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_limit_slots(mm, 2);
	enter_slot();

	user_begin(task[1]);
	world_on_sleep(kill_waiter);
	BUG_ON(user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[1])->killed != SIGKILL);
	BUG_ON(user_log(task[1])->signal_ip != USER_TEXT + F);
	BUG_ON(slots_used() != 3 || user_log(task[1])->ax);
	BUG_ON(user_text(mm, stepping.ip + 256)); /* nor written to one */

	leave_slot();
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	check_idle();
}

static void signal_self(void)
{
	BUG_ON(current->utask->state != UTASK_SSTEP);
	user_signal(current, false);
}

/* Denied during the step, delivered after it and before the next instruction. */
void case_sig_denied(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_in_slot(signal_self);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->signals != 1);
	BUG_ON(user_log(task[0])->signal_ip != USER_TEXT + F + 1);
	BUG_ON(c.entries != 1 || user_log(task[0])->ax != 1);
	check_idle();
}

/* The copy faults: reported at the probed address, then tried again. */
void case_sig_fault(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_fault(SIGSEGV);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->signals != 1);
	BUG_ON(user_log(task[0])->signal_ip != USER_TEXT + F);
	BUG_ON(c.entries != 2 || user_log(task[0])->ax != 1);
	BUG_ON(user_log(task[0])->steps != 1);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	check_idle();
}

static void signal_again(void)
{
	BUG_ON(current->utask->state != UTASK_SSTEP);
	BUG_ON(test_thread_flag(TIF_SIGPENDING)); /* the first is denied */
	user_signal(current, false);
}

static void signal_twice(void)
{
	user_in_slot(signal_again);
	user_signal(current, false);
}

/* Another one in the same step is denied as the first. */
void case_sig_again(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_in_slot(signal_twice);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->signals != 1);
	BUG_ON(user_log(task[0])->signal_ip != USER_TEXT + F + 1);
	BUG_ON(c.entries != 1 || user_log(task[0])->ax != 1);
	check_idle();
}

static void somebody_takes_it(void)
{
	BUG_ON(test_thread_flag(TIF_SIGPENDING));
	current->sim_signals = false;
}

static void signal_elsewhere(void)
{
	user_in_slot(somebody_takes_it);
	user_signal(current, false);
}

/*
 * A signal of the process is denied here, and meanwhile taken by another thread.
 * Who looks again finds nothing; who remembers looks for nothing.
 */
void case_sig_elsewhere(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_in_slot(signal_elsewhere);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->signals != (design("flag") ? 1 : 0));
	BUG_ON(user_log(task[0])->ax != 1);
	check_idle();
}

static void signal_waiter(void)
{
	sleeps++;
	user_signal(task[1], false);
	BUG_ON(sleeps > 1);
	leave_slot();
}

/* An ordinary signal does not end the wait for a slot, it waits, too. */
void case_sig_before_wait(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_limit_slots(mm, 2);
	enter_slot();

	user_begin(task[1]);
	world_on_sleep(signal_waiter);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(sleeps != 1 || user_log(task[1])->ax != 1);
	BUG_ON(user_log(task[1])->signals != 1);
	BUG_ON(user_log(task[1])->signal_ip != USER_TEXT + F + 1);
	check_idle();
}

static void kill_self(void)
{
	user_signal(current, true);
}

/* A fatal signal does not wait for the step to end. */
void case_sig_fatal(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, ENTRY);
	user_in_slot(kill_self);
	BUG_ON(user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->killed != SIGKILL);
	BUG_ON(user_log(task[0])->signal_ip != USER_TEXT + F);
	BUG_ON(user_log(task[0])->ax);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	check_idle();
}

static struct counter traced;

static void detach(void)
{
	user_detach();
	BUG_ON(current->utask || slots_used() != 1);
	del(&traced);
}

/* Detached in the middle of a step: the instruction runs where it belongs. */
void case_detach_step(void)
{
	fixture();
	add(&traced, F, ENTRY);
	user_in_slot(detach);
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(user_log(task[0])->steps || user_log(task[0])->ax != 1);
	BUG_ON(traced.entries != 1);
}

/* Every hijacked word is put back, tail calls and longjmp included. */
void case_detach_returns(void)
{
	struct counter f = {}, g = {};
	unsigned long sp, slot, orig;
	void *cursor = NULL;

	fixture();
	add(&f, F, RETURN);
	add(&g, G, RETURN);
	user_call(USER_TEXT + F, CALLER);
	sp = user_sp();
	user_call(USER_TEXT + F, CALLER + 5);
	user_longjmp(sp);
	user_call(USER_TEXT + 3, CALLER + 1); /* not probed */
	user_call(USER_TEXT + F, CALLER + 2);
	user_hit(USER_TEXT + G);

	BUG_ON(!sim_ret_next(current, &cursor, &slot, &orig));
	BUG_ON(slot != user_sp() || orig != CALLER + 2);
	BUG_ON(!sim_ret_next(current, &cursor, &slot, &orig));
	BUG_ON(slot != user_sp() || orig != CALLER + 2);

	user_detach();
	cursor = NULL;
	BUG_ON(sim_ret_next(current, &cursor, &slot, &orig));
	BUG_ON(user_return() != CALLER + 2);
	BUG_ON(user_return() != CALLER + 1);
	BUG_ON(user_return() != CALLER);
	BUG_ON(f.returns || g.returns);
	del(&f); /* hangs if a lease was lost */
	del(&g);
}

/* Detached when it has returned into the trampoline but not hit it yet. */
void case_detach_trampoline(void)
{
	struct counter f = {};
	struct pt_regs regs = {};

	fixture();
	add(&f, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	regs.ip = uprobe_get_trampoline_vaddr();
	regs.sp = user_sp() + sizeof(long);
	sim_user_detach(&regs);
	BUG_ON(regs.ip != CALLER || f.returns != 1);
}

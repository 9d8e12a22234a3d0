// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_optimize.c - probes that become calls, and what else can be at the place:
 * a breakpoint, half of each, somebody else's bytes.
 */
#include <asm/shstk.h>
#include <linux/errno.h>
#include "fixture.h"
#include "machine.h"
#include "toy.h"
#include "uprobes/variant.h"

#define AT (USER_TEXT + WIDE)

static unsigned char first(void)
{
	return user_text(mm, AT);
}

static unsigned char second(void)
{
	return user_text(mm, AT + 1);
}

static bool original(void)
{
	return first() == USER_NOP2 && second() == 0;
}

static bool optimized(void)
{
	return first() == USER_CALL2 && second() != 0;
}

static void write(unsigned long addr, unsigned char byte)
{
	BUG_ON(machine_write_text(mm, addr, &byte, 1));
}

/* From the first hit on, in the designs that have it; the hits are the same. */
void case_opt_first_hit(void)
{
	struct counter c = {}, other = {};
	int i;

	fixture();
	add(&c, WIDE, ENTRY);
	add(&other, F, ENTRY); /* the area is made for check_idle() */
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(first() != USER_BP || second() != 0);
	for (i = 1; i <= 3; i++) {
		BUG_ON(!user_hit(AT));
		BUG_ON(c.entries != i || optimized() != design("nop5"));
		BUG_ON(breakpoint_at(WIDE) == design("nop5"));
	}
	BUG_ON(user_log(task[0])->steps != 1);
	check_idle();
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	del(&c);
	BUG_ON(!original());
	BUG_ON(!user_hit(AT) || c.entries != 3);
}

static unsigned long sets_ax, moves_sp, goes_to, seen_ax, seen_sp;

static int change(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	BUG_ON(regs->ip != AT);
	seen_ax = regs->ax;
	seen_sp = regs->sp;
	regs->ax = sets_ax;
	regs->sp += moves_sp;
	if (goes_to)
		regs->ip = goes_to;
	return 0;
}

static struct uprobe_consumer changes = { .handler = change };

static void change_and_optimize(void)
{
	fixture();
	sets_ax = 5;
	BUG_ON(IS_ERR(uprobe_register(file, WIDE, 0, &changes)));
	BUG_ON(!user_hit(AT));
	BUG_ON(optimized() != design("nop5"));
}

/* Handlers see the program's registers, and change them. */
void case_opt_registers(void)
{
	unsigned long sp;

	change_and_optimize();
	sp = user_sp();
	sets_ax = 6;
	BUG_ON(!user_hit(AT));
	BUG_ON(seen_ax != 5 || seen_sp != sp || user_sp() != sp);
	BUG_ON(!user_hit(AT));
	BUG_ON(seen_ax != 6);
}

/*
 * A handler that moves the stack: the program goes on at once, and what is below
 * its new stack is not written to.
 */
void case_opt_moved(void)
{
	unsigned long sp, below;

	change_and_optimize();
	sp = user_sp();
	moves_sp = -64ul;
	sets_ax = 7;
	BUG_ON(!user_hit(AT));
	BUG_ON(user_sp() != sp - 64);
	BUG_ON(machine_read(mm, sp - 72, &below, sizeof(below)) || below);
	moves_sp = 0;
	BUG_ON(!user_hit(AT) || seen_ax != 7);
}

void case_opt_redirected(void)
{
	change_and_optimize();
	goes_to = CALLER;
	user_longjmp(user_sp());
	BUG_ON(!user_hit(AT));
	BUG_ON(task_pt_regs(current)->ip != CALLER);
}

/* The return address is found where it is, though more was pushed. */
void case_opt_return(void)
{
	struct counter c = {};
	int i;

	fixture();
	add(&c, WIDE, ENTRY | RETURN);
	for (i = 1; i <= 3; i++) {
		BUG_ON(!user_call(AT, CALLER));
		BUG_ON(user_return() != CALLER);
		BUG_ON(c.entries != i || c.returns != i || c.func != AT);
	}
	BUG_ON(optimized() != design("nop5"));
}

static struct counter *unregisters;

static void unregister(void)
{
	del(unregisters);
	settle();
	BUG_ON(!original());
}

/* The probe goes while a task is between the call and the system call. */
void case_opt_inside(void)
{
	struct counter c = {}, again = {};
	unsigned long sp;

	fixture();
	if (design("none"))
		return;
	unregisters = &c;
	add(&c, WIDE, ENTRY);
	BUG_ON(!user_hit(AT));
	sp = user_sp();
	user_in_slot(unregister);
	BUG_ON(!user_hit(AT));
	BUG_ON(c.entries != 1 || user_sp() != sp || !original());
	BUG_ON(!mm->uprobes_state.trampolines);

	/* The next one has the page that is there. */
	add(&again, WIDE, ENTRY);
	BUG_ON(!user_hit(AT) || !optimized() || second() != 1);
}

/* A call counts as a breakpoint: not written over, not counted twice. */
void case_opt_again(void)
{
	struct counter c = {}, d = {};

	fixture();
	add(&c, WIDE, ENTRY);
	BUG_ON(!user_hit(AT));
	add(&d, WIDE, ENTRY);
	BUG_ON(optimized() != design("nop5"));
	BUG_ON(!user_hit(AT) || c.entries != 2 || d.entries != 1);
	del(&c);
	BUG_ON(optimized() != design("nop5"));
	BUG_ON(!user_hit(AT) || d.entries != 2);
	del(&d);
	BUG_ON(!original());
}

/* It is tried once. */
void case_opt_failed(void)
{
	struct counter c = {};

	fixture();
	add(&c, WIDE, ENTRY);
	user_lock_text(mm, true);
	BUG_ON(!user_hit(AT));
	user_lock_text(mm, false);
	BUG_ON(!user_hit(AT) || !breakpoint_at(WIDE) || c.entries != 2);
	BUG_ON(design("nop5") !=
	       test_bit(UPROBE_OPTIMIZE_FAIL, &c.uprobe->flags));
	del(&c);
	BUG_ON(!original());
}

/* Another task was faster: a hit as any, and no failure. */
void case_opt_raced(void)
{
	struct counter c = {};
	struct pt_regs regs = { .ip = AT + 1 };
	struct sim_resume r;

	fixture();
	add(&c, WIDE, ENTRY);
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	user_begin(task[1]);
	BUG_ON(!user_hit(AT) || optimized() != design("nop5"));
	user_begin(task[0]);
	sim_user_resume(&regs, &r);
	BUG_ON(regs.ip != AT + 2 || c.entries != 2);
	BUG_ON(optimized() != design("nop5"));
	BUG_ON(test_bit(UPROBE_OPTIMIZE_FAIL, &c.uprobe->flags));
}

/* Half-way between breakpoint and call, in either direction. */
void case_opt_stopped(void)
{
	struct counter c = {};

	fixture();
	if (design("none"))
		return;
	add(&c, WIDE, ENTRY);
	write(AT + 1, 1);
	BUG_ON(!user_hit(AT) || c.entries != 1);
	BUG_ON(!optimized());
	write(AT, USER_BP);
	del(&c);
	BUG_ON(!original());
}

/* A debugger has put its own bytes there: they are not ours to overwrite. */
void case_opt_foreign(void)
{
	struct counter c = {};

	fixture();
	add(&c, WIDE, ENTRY);
	BUG_ON(!user_hit(AT));
	write(AT, USER_NOP);
	del(&c);
	BUG_ON(first() != USER_NOP);

	/* A call, but not to a page of ours. */
	write(AT, USER_NOP2);
	write(AT + 1, 0);
	add(&c, WIDE, ENTRY);
	write(AT, USER_CALL2);
	write(AT + 1, 9);
	del(&c);
	BUG_ON(first() != USER_CALL2 || second() != 9);
}

void case_opt_counter(void)
{
	struct counter c = { .ref_ctr_offset = USER_DATA_OFFSET };

	fixture();
	user_map_data(mm, file);
	add(&c, WIDE, ENTRY);
	BUG_ON(user_counter(mm, 0) != 1);
	BUG_ON(!user_hit(AT) || !user_hit(AT));
	BUG_ON(user_counter(mm, 0) != 1);

	/* Not removed: still counted. */
	user_lock_text(mm, true);
	uprobe_unregister_nosync(c.uprobe, &c.uc);
	BUG_ON(user_counter(mm, 0) != 1 || original());
	user_lock_text(mm, false);
}

/* Only from where it belongs, and with a stack. */
void case_opt_syscall(void)
{
	struct counter c = {};
	struct pt_regs regs = { .ip = USER_TEXT + 1 };
	struct sim_resume r;

	fixture();
	add(&c, WIDE, ENTRY);
	BUG_ON(!user_hit(AT));
	regs.sp = user_sp() - 8 * sizeof(long);
	BUG_ON(sim_user_uprobe(&regs) != -ENXIO || regs.ip != USER_TEXT + 1);
	if (design("none"))
		return;
	regs.ip = TOY_CODE(0) + 2;
	BUG_ON(sim_user_uprobe(&regs) != -ENXIO);
	regs.ip = TOY_CODE(0) + 1;
	regs.sp = 8;
	BUG_ON(sim_user_uprobe(&regs));
	sim_user_resume(&regs, &r);
	BUG_ON(r.force_sig != SIGILL || c.entries != 1);
}

/* The call's return address would be on one stack only. */
void case_opt_shadow(void)
{
	struct counter c = {};

	fixture();
	add(&c, WIDE, ENTRY);
	current->thread.features = ARCH_SHSTK_SHSTK;
	BUG_ON(!user_hit(AT) || !user_hit(AT));
	BUG_ON(!breakpoint_at(WIDE) || c.entries != 2);
	current->thread.features = 0;
	BUG_ON(!user_hit(AT) || optimized() != design("nop5"));
}

void case_opt_page_end(void)
{
	const struct uprobe_optimize *o = uprobe_variant()->optimize;
	const unsigned char nop2[] = { USER_NOP2, 0 };
	struct arch_insn insn = {};

	BUG_ON(arch_toy.analyze(nop2, sizeof(nop2), &insn) != ARCH_OK);
	BUG_ON(o->suits(&arch_toy, &insn, PAGE_SIZE - 2) != design("nop5"));
	BUG_ON(o->suits(&arch_toy, &insn, PAGE_SIZE - 1));
	BUG_ON(o->suits(&arch_toy, &insn, PAGE_SIZE) != design("nop5"));
}

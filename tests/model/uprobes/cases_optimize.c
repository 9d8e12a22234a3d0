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

/* The nop that this design is about, or WIDE if none is; and the other one. */
static unsigned long wide(void)
{
	return design("nop10") ? WIDER : WIDE;
}

static unsigned long other_wide(void)
{
	return design("nop10") ? WIDE : WIDER;
}

#define AT (USER_TEXT + wide())

static bool optimizes(void)
{
	return !design("none");
}

static unsigned char first(void)
{
	return user_text(mm, AT);
}

static unsigned char second(void)
{
	return user_text(mm, AT + 1);
}

/* The call itself, behind what lowers the stack. */
static unsigned long call_at(void)
{
	return design("nop10") ? AT + 2 : AT;
}

static unsigned long end(void)
{
	return call_at() + 2;
}

static unsigned char operand(void)
{
	return user_text(mm, call_at() + 1);
}

static bool is_call(void)
{
	return user_text(mm, call_at()) == USER_CALL2 && operand();
}

static bool original(void)
{
	return first() == (design("nop10") ? USER_NOP4 : USER_NOP2) &&
	       second() == 0;
}

static bool optimized(void)
{
	return first() == (design("nop10") ? USER_LOWER : USER_CALL2) &&
	       is_call();
}

static void write(unsigned long addr, unsigned char byte)
{
	BUG_ON(machine_write_text(mm, addr, &byte, 1));
}

/* From the first hit on, in the designs that have it; the hits are the same. */
void case_opt_first_hit(void)
{
	struct counter c = {}, step = {};
	int i;

	fixture();
	add(&c, wide(), ENTRY);
	add(&step, F, ENTRY); /* the area is made for check_idle() */
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(first() != USER_BP || second() != 0);
	for (i = 1; i <= 3; i++) {
		BUG_ON(!user_hit(AT));
		BUG_ON(c.entries != i || optimized() != optimizes());
		BUG_ON(breakpoint_at(wide()) == optimizes());
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
	BUG_ON(IS_ERR(uprobe_register(file, wide(), 0, &changes)));
	BUG_ON(!user_hit(AT));
	BUG_ON(optimized() != optimizes());
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
	add(&c, wide(), ENTRY | RETURN);
	for (i = 1; i <= 3; i++) {
		BUG_ON(!user_call(AT, CALLER));
		BUG_ON(user_return() != CALLER);
		BUG_ON(c.entries != i || c.returns != i || c.func != AT);
	}
	BUG_ON(optimized() != optimizes());
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
	add(&c, wide(), ENTRY);
	BUG_ON(!user_hit(AT));
	sp = user_sp();
	user_in_slot(unregister);
	BUG_ON(!user_hit(AT));
	BUG_ON(c.entries != 1 || user_sp() != sp || !original());
	BUG_ON(!mm->uprobes_state.trampolines);

	/* The next one has the page that is there. */
	add(&again, wide(), ENTRY);
	BUG_ON(!user_hit(AT) || !optimized() || operand() != 1);
}

/* A nop of another length is a probe as any. */
void case_opt_other(void)
{
	struct counter c = {};

	fixture();
	add(&c, other_wide(), ENTRY);
	BUG_ON(!user_hit(USER_TEXT + other_wide()));
	BUG_ON(!user_hit(USER_TEXT + other_wide()) || c.entries != 2);
	BUG_ON(!breakpoint_at(other_wide()));
	del(&c);
}

static unsigned char called(unsigned long offset)
{
	return user_text(mm, USER_TEXT + offset + (call_at() - AT) + 1);
}

/*
 * A probe that the page there is cannot be called from gets another one. The first
 * place could call that, too, but has the same call again: a task may be in front
 * of it.
 */
void case_opt_reach(void)
{
	static const unsigned char text[] = {
		[WIDE] = USER_NOP2,
		[WIDER] = USER_NOP4,
		[TOY_REACH + WIDE] = USER_NOP2,
		[TOY_REACH + WIDER] = USER_NOP4,
		[TOY_REACH + WIDER + 3] = 0,
	};
	struct counter near = {}, far = {}, again = {};

	if (design("none"))
		return;
	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	task[0] = user_task(mm, 1);
	user_begin(task[0]);

	add(&near, wide(), ENTRY);
	BUG_ON(!user_hit(AT) || !optimized() || called(wide()) != 1);
	add(&far, TOY_REACH + wide(), ENTRY);
	BUG_ON(!user_hit(AT + TOY_REACH));
	BUG_ON(called(TOY_REACH + wide()) != 2);
	del(&near);
	settle();
	add(&again, wide(), ENTRY);
	BUG_ON(!user_hit(AT) || !optimized() || called(wide()) != 1);
	BUG_ON(!user_hit(AT + TOY_REACH) || far.entries != 2);
}

/* A leaf function's words below sp; of 6.18 the call takes the first ones. */
void case_opt_red_zone(void)
{
	struct counter c = {};
	unsigned int n;

	fixture();
	add(&c, wide(), ENTRY);
	BUG_ON(!user_hit(AT));
	for (n = 1; n <= USER_RED_WORDS; n++)
		user_keep(n, n);
	BUG_ON(!user_hit(AT) || c.entries != 2);
	BUG_ON(user_kept(1) != (design("nop5") ? AT + 2 : 1));
	for (n = ARCH_OPT_WORDS + 1; n <= USER_RED_WORDS; n++)
		BUG_ON(user_kept(n) != n);
	for (n = 2; n <= ARCH_OPT_WORDS; n++)
		BUG_ON((user_kept(n) == n) == design("nop5"));
}

/* task[0] is in front of the call, its stack is lowered already. */
static void lower(struct counter *c)
{
	fixture();
	add(c, wide(), ENTRY);
	BUG_ON(!user_hit(AT));
	BUG_ON(!user_try(AT) || !optimized());
}

static void call(unsigned long sp)
{
	BUG_ON(user_sp() != sp - USER_RED_WORDS * sizeof(long));
	BUG_ON(!user_hit(call_at()));
	BUG_ON(user_sp() != sp || task_pt_regs(current)->ip != end());
}

/* The probe goes while a task is there: the call is, and does nothing. */
void case_opt_before_call(void)
{
	struct counter c = {};
	unsigned long sp;

	if (!design("nop10"))
		return;
	lower(&c);
	sp = user_sp() + USER_RED_WORDS * sizeof(long);
	del(&c);
	settle();
	BUG_ON(!original() || !is_call());
	call(sp);
	BUG_ON(c.entries != 1);
	BUG_ON(!user_hit(AT) || user_sp() != sp);
}

/* And another one comes: that task's call is a hit of it, once. */
static void other_probe(bool hit)
{
	struct counter c = {}, again = {};
	unsigned long sp;
	int hits = 0;

	lower(&c);
	sp = user_sp() + USER_RED_WORDS * sizeof(long);
	del(&c);
	settle();
	add(&again, wide(), ENTRY);
	BUG_ON(!breakpoint_at(wide()) || !is_call());
	if (hit) {
		user_begin(task[1]);
		BUG_ON(!user_hit(AT) || !optimized() || operand() != 1);
		user_begin(task[0]);
		hits++;
	}
	call(sp);
	BUG_ON(c.entries != 1 || again.entries != hits + 1);
	/* Undone a second time, or never done: the rest is the call still. */
	del(&again);
	BUG_ON(!original() || !is_call());
	BUG_ON(!user_hit(AT) || again.entries != hits + 1);
}

void case_opt_before_other(void)
{
	if (design("nop10"))
		other_probe(false);
}

void case_opt_before_again(void)
{
	if (design("nop10"))
		other_probe(true);
}

/* A call counts as a breakpoint: not written over, not counted twice. */
void case_opt_again(void)
{
	struct counter c = {}, d = {};

	fixture();
	add(&c, wide(), ENTRY);
	BUG_ON(!user_hit(AT));
	add(&d, wide(), ENTRY);
	BUG_ON(optimized() != optimizes());
	BUG_ON(!user_hit(AT) || c.entries != 2 || d.entries != 1);
	del(&c);
	BUG_ON(optimized() != optimizes());
	BUG_ON(!user_hit(AT) || d.entries != 2);
	del(&d);
	BUG_ON(!original());
}

/* It is tried once. */
void case_opt_failed(void)
{
	struct counter c = {};

	fixture();
	add(&c, wide(), ENTRY);
	user_lock_text(mm, true);
	BUG_ON(!user_hit(AT));
	user_lock_text(mm, false);
	BUG_ON(!user_hit(AT) || !breakpoint_at(wide()) || c.entries != 2);
	BUG_ON(optimizes() != test_bit(UPROBE_OPTIMIZE_FAIL, &c.uprobe->flags));
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
	add(&c, wide(), ENTRY);
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	user_begin(task[1]);
	BUG_ON(!user_hit(AT) || optimized() != optimizes());
	user_begin(task[0]);
	sim_user_resume(&regs, &r);
	BUG_ON(regs.ip != end() || c.entries != 2);
	BUG_ON(optimized() != optimizes());
	BUG_ON(test_bit(UPROBE_OPTIMIZE_FAIL, &c.uprobe->flags));
}

/* Half-way between breakpoint and call, in either direction. */
void case_opt_stopped(void)
{
	struct counter c = {};

	fixture();
	if (design("none"))
		return;
	add(&c, wide(), ENTRY);
	write(call_at() + 1, 1);
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
	add(&c, wide(), ENTRY);
	BUG_ON(!user_hit(AT));
	write(AT, USER_NOP);
	del(&c);
	BUG_ON(first() != USER_NOP);

	/* A call, but not to a page of ours. */
	write(AT, design("nop10") ? USER_NOP4 : USER_NOP2);
	write(AT + 1, 0);
	add(&c, wide(), ENTRY);
	write(AT, design("nop10") ? USER_LOWER : USER_CALL2);
	write(AT + 1, design("nop10") ? USER_RED_WORDS : 9);
	write(call_at(), USER_CALL2);
	write(call_at() + 1, 9);
	del(&c);
	BUG_ON(original() || operand() != 9);
}

void case_opt_counter(void)
{
	struct counter c = { .ref_ctr_offset = USER_DATA_OFFSET };

	fixture();
	user_map_data(mm, file);
	add(&c, wide(), ENTRY);
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
	add(&c, wide(), ENTRY);
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
	add(&c, wide(), ENTRY);
	current->thread.features = ARCH_SHSTK_SHSTK;
	BUG_ON(!user_hit(AT) || !user_hit(AT));
	BUG_ON(!breakpoint_at(wide()) || c.entries != 2);
	current->thread.features = 0;
	BUG_ON(!user_hit(AT) || optimized() != optimizes());
}

void case_opt_page_end(void)
{
	const unsigned char nop2[] = { USER_NOP2, 0 };
	const unsigned char nop4[] = { USER_NOP4, 0, 0, 0 };
	const unsigned char *nop = design("nop10") ? nop4 : nop2;
	unsigned int len = design("nop10") ? sizeof(nop4) : sizeof(nop2);
	struct arch_insn insn = {};

	BUG_ON(arch_toy.analyze(nop, len, &insn) != ARCH_OK);
	BUG_ON(uprobe_can_optimize(&arch_toy, &insn, PAGE_SIZE - len) !=
	       optimizes());
	BUG_ON(uprobe_can_optimize(&arch_toy, &insn, PAGE_SIZE - len + 1));
	BUG_ON(uprobe_can_optimize(&arch_toy, &insn, PAGE_SIZE - 1));
	BUG_ON(uprobe_can_optimize(&arch_toy, &insn, PAGE_SIZE) != optimizes());
}

/* Such a nop with another operand is none that compilers leave for this. */
void case_opt_operand(void)
{
	const unsigned char nop4[] = { USER_NOP4, 0, USER_CALL2, 1 };
	struct arch_insn insn = {};

	BUG_ON(arch_toy.analyze(nop4, sizeof(nop4), &insn) != ARCH_OK);
	BUG_ON(uprobe_can_optimize(&arch_toy, &insn, 0));
}

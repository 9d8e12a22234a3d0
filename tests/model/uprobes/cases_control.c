// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_control.c - what the world asks of the logic beside the kernel's own calls:
 * probes with plain callbacks, pending steps and returns.
 */
#include "fixture.h"
#include "machine.h"
#include "uprobes/control.h"

struct heard {
	int entries, returns;
	unsigned long ip, func, to;
};

static void on_entry(void *arg, struct pt_regs *regs)
{
	struct heard *h = arg;

	h->entries++;
	h->ip = regs->ip;
}

static void on_return(void *arg, unsigned long func, struct pt_regs *regs)
{
	struct heard *h = arg;

	h->returns++;
	h->func = func;
	h->to = regs->ip;
}

/* Both callbacks hear of their probe, and of no other; gone, of nothing. */
void case_ctl_probe(void)
{
	struct heard both = {}, entry = {}, ret = {};
	struct sim_probe *probe[3];
	int err = 1, objects, i;

	fixture();
	user_limit_slots(mm, 2);
	uprobe_free_utask(current);
	objects = world_objects();
	probe[0] = sim_probe_add(file, F, 0, on_entry, on_return, &both, &err);
	BUG_ON(!probe[0] || err);
	probe[1] = sim_probe_add(file, G, 0, on_entry, NULL, &entry, &err);
	probe[2] = sim_probe_add(file, H, 0, NULL, on_return, &ret, &err);
	BUG_ON(!probe[1] || !probe[2]);
	for (i = 0; i < 3; i++) {
		BUG_ON(!user_call(USER_TEXT + F + i, CALLER + i));
		BUG_ON(user_return() != CALLER + i);
	}
	BUG_ON(both.entries != 1 || both.ip != USER_TEXT + F);
	BUG_ON(both.returns != 1 || both.func != USER_TEXT + F);
	BUG_ON(both.to != CALLER);
	BUG_ON(entry.entries != 1 || entry.returns);
	BUG_ON(ret.returns != 1 || ret.entries || ret.func != USER_TEXT + H);

	for (i = 0; i < 3; i++)
		sim_probe_del(probe[i]);
	BUG_ON(breakpoint_at(F) || breakpoint_at(G) || breakpoint_at(H));
	BUG_ON(!user_call(USER_TEXT + F, CALLER) || both.entries != 1);
	uprobe_free_utask(current);
	settle();
	BUG_ON(world_objects() != objects);
}

/* A probe that cannot be says why, and nothing is kept of it. */
void case_ctl_refused(void)
{
	struct heard h = {};
	int err = 0, k, objects;

	fixture();
	objects = world_objects();
	BUG_ON(sim_probe_add(file, REFUSED, 0, on_entry, NULL, &h, &err));
	BUG_ON(err != -ENOTSUPP);
	BUG_ON(sim_probe_add(file, F, 1, on_entry, NULL, &h, &err));
	BUG_ON(err != -EINVAL);
	for (k = 1; k <= 2; k++) {
		err = 0;
		world_fail_alloc(k); /* itself, then its uprobe */
		BUG_ON(sim_probe_add(file, F, 0, on_entry, NULL, &h, &err));
		BUG_ON(err != -ENOMEM);
	}
	world_fail_alloc(0);
	settle();
	BUG_ON(world_objects() != objects || !no_uprobe_events());
}

/* The instruction that a task is to run in its slot, as long as it has not. */
void case_ctl_pending_step(void)
{
	struct pt_regs regs = { .ip = USER_TEXT + F + 1 };
	const struct arch_insn *insn;
	unsigned long vaddr = 0;
	struct counter c = {};
	struct sim_resume r;

	fixture();
	BUG_ON(uprobe_pending_step(&vaddr));
	add(&c, F, ENTRY);
	BUG_ON(!user_hit(USER_TEXT + F) || uprobe_pending_step(&vaddr));

	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	sim_user_resume(&regs, &r);
	insn = uprobe_pending_step(&vaddr);
	BUG_ON(insn != &c.uprobe->insn || vaddr != USER_TEXT + F);
	BUG_ON(!r.step);
	regs.ip++;
	BUG_ON(!sim_user_trap(SIM_TRAP_STEP, 0, &regs));
	BUG_ON(uprobe_pending_step(&vaddr));
	sim_user_resume(&regs, &r);
	BUG_ON(uprobe_pending_step(&vaddr) || regs.ip != USER_TEXT + F + 1);
	check_idle();
}

/* Pending returns of any task, innermost first; and whether one more fits. */
void case_ctl_returns(void)
{
	unsigned long slot, orig, sp[3];
	struct counter c = {};
	void *cursor = NULL;
	int i;

	fixture();
	BUG_ON(sim_ret_next(task[1], &cursor, &slot, &orig) || sim_ret_full());
	BUG_ON(sim_ret_reveal());
	sim_ret_hide(0);
	sim_ret_forget(0, -1UL, NULL);
	add(&c, F, RETURN);
	for (i = 0; i < 3; i++) {
		user_call(USER_TEXT + F, CALLER + i);
		sp[i] = user_sp();
	}
	while (i--) {
		BUG_ON(!sim_ret_next(task[0], &cursor, &slot, &orig));
		BUG_ON(slot != sp[i] || orig != CALLER + i);
	}
	BUG_ON(sim_ret_next(task[0], &cursor, &slot, &orig));

	for (i = 3; i < MAX_URETPROBE_DEPTH; i++) {
		BUG_ON(sim_ret_full());
		user_call(USER_TEXT + F, CALLER);
	}
	BUG_ON(!sim_ret_full());
}

static int nr_left;

static void note_left(unsigned long func)
{
	nr_left++;
}

/*
 * Only what lies in the range is forgotten, its ends decided to the word; nothing
 * is kept of it.
 */
void case_ctl_forget(void)
{
	unsigned long outer, inner;
	struct counter c = {};
	int objects;

	fixture();
	user_limit_slots(mm, 2);
	objects = world_objects();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	outer = user_sp();
	user_call(USER_TEXT + F, CALLER);
	inner = user_sp();
	sim_ret_reveal();

	sim_ret_forget(inner + 8, outer, note_left);
	sim_ret_forget(0, inner, note_left);
	BUG_ON(nr_left || current->utask->depth != 2);
	sim_ret_forget(inner, outer, note_left);
	BUG_ON(nr_left != 1 || current->utask->depth != 1);
	sim_ret_forget(outer, outer + 8, note_left);
	BUG_ON(nr_left != 2 || innermost());
	del(&c); /* hangs if a lease was kept */
	uprobe_free_utask(current);
	settle();
	BUG_ON(world_objects() != objects);
}

/* A word that is somebody else's by now is left alone. */
void case_ctl_other_words(void)
{
	unsigned long word = 0x1234, now, sp;
	struct counter c = {};

	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	sp = user_sp();
	BUG_ON(machine_write(mm, sp, &word, sizeof(word)));
	BUG_ON(sim_ret_reveal() != 1);
	BUG_ON(machine_read(mm, sp, &now, sizeof(now)) || now != word);
	sim_ret_hide(0);
	BUG_ON(machine_read(mm, sp, &now, sizeof(now)) || now != word);
}

/* Memory that is not there is neither a breakpoint nor none. */
void case_ctl_unreadable(void)
{
	fixture();
	BUG_ON(is_trap_at_addr(mm, USER_TEXT + FOREIGN) != 1);
	BUG_ON(is_trap_at_addr(mm, USER_TEXT + F) != 0);
	BUG_ON(is_trap_at_addr(mm, 8) != -EFAULT);
}

/* What leaves an mm by its handlers' wish is this probe, not one of another file. */
void case_ctl_unapply(void)
{
	static const unsigned char text[] = { USER_INC };
	struct inode *first, *second;
	struct counter a = {}, b = {};
	struct mm_struct *other;

	fixture();
	first = file;
	second = user_file(text, sizeof(text));
	other = user_mm(second);
	add(&a, F, ENTRY);
	file = second;
	add(&b, F, ENTRY);
	file = first;
	BUG_ON(a.uprobe == b.uprobe);
	unapply_uprobe(a.uprobe, other);
	BUG_ON(user_text(other, USER_TEXT + F) != USER_BP || !breakpoint_at(F));
	unapply_uprobe(b.uprobe, other);
	BUG_ON(user_text(other, USER_TEXT + F) != USER_INC ||
	       !breakpoint_at(F));
}

/* A slot that is not left by itself, or by a single step, ends in a breakpoint. */
void case_ctl_slot_end(void)
{
	unsigned char slot[2];
	struct counter c = {};
	struct uprobe_task *utask;

	fixture();
	add(&c, F, ENTRY);
	utask = get_utask();
	BUG_ON(xol_get_insn_slot(c.uprobe, utask));
	BUG_ON(machine_read(mm, utask->xol_vaddr, slot, sizeof(slot)));
	BUG_ON(slot[0] != USER_INC || slot[1] == USER_BP);
	xol_free_insn_slot(utask);

	c.uprobe->insn.flags |= ARCH_FALLS_THROUGH;
	BUG_ON(xol_get_insn_slot(c.uprobe, utask));
	BUG_ON(machine_read(mm, utask->xol_vaddr, slot, sizeof(slot)));
	BUG_ON(slot[0] != USER_INC || slot[1] != USER_BP);
	xol_free_insn_slot(utask);
	check_idle();
}

static bool refuse_step(const struct arch_insn *insn, unsigned long vaddr,
			unsigned long slot, struct pt_regs *regs,
			struct arch_step *step)
{
	return false;
}

/* No step can be made: the instruction is tried again, slot and reference are free. */
void case_ctl_no_step(void)
{
	struct pt_regs regs = { .ip = USER_TEXT + F + 1 };
	const struct arch_ops *arch;
	static struct arch_ops deaf;
	struct counter c = {};
	struct sim_resume r;

	fixture();
	add(&c, F, ENTRY);
	arch = sim_mm_arch(mm);
	deaf = *arch;
	deaf.pre_xol = refuse_step;
	mm->sim_arch = &deaf;
	BUG_ON(!sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	sim_user_resume(&regs, &r);
	mm->sim_arch = arch;
	BUG_ON(r.step || r.force_sig || regs.ip != USER_TEXT + F);
	BUG_ON(c.entries != 1 || refcount_read(&c.uprobe->ref) != 1);
	check_idle();
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 2);
}

/* When an mm goes, all that the logic had of it goes. */
void case_ctl_clear(void)
{
	struct counter c = {}, wide = {};
	int objects;

	fixture();
	objects = world_objects();
	add(&wide, WIDE, ENTRY);
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_hit(USER_TEXT + WIDE) || !user_hit(USER_TEXT + WIDE));
	BUG_ON(!user_call(USER_TEXT + F, CALLER) || user_return() != CALLER);
	uprobe_free_utask(current);
	settle();
	uprobe_clear_state(mm);
	BUG_ON(mm->uprobes_state.xol_area);
	BUG_ON(world_objects() != objects + 2); /* the two probes */
}

/* Misaligned for its processor: refused before anybody looks at the bytes. */
void case_ctl_misaligned(void)
{
	static const unsigned char nop[4] = { 0x1f, 0x20, 0x03, 0xd5 };
	struct mm_struct *other;
	struct counter c = {};

	fixture();
	add(&c, H, ENTRY); /* two bytes behind the start */
	other = sim_mm_new(&arch_arm64, NULL);
	BUG_ON(arch_uprobe_analyze_insn(c.uprobe, other, nop, sizeof(nop)) !=
	       -EINVAL);
}

static u64 seen_cookie = 5;

static int gives_none(struct uprobe_consumer *self, struct pt_regs *regs,
		      u64 *data)
{
	return 0;
}

static int sees_none(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	seen_cookie = *data;
	return 0;
}

/* A cookie that nobody gave is 0; who has no slot frees none; flags are fresh. */
void case_ctl_nothing(void)
{
	struct uprobe_consumer uc = { .handler = gives_none,
				      .ret_handler = sees_none };
	struct counter c = {};

	fixture();
	BUG_ON(IS_ERR(uprobe_register(file, F, 0, &uc)));
	BUG_ON(!user_call(USER_TEXT + F, CALLER) || user_return() != CALLER);
	BUG_ON(seen_cookie);

	xol_free_insn_slot(current->utask); /* a warning ends the process */
	check_idle();

	mm_flags_set(MMF_RECALC_UPROBES, mm);
	add(&c, G, ENTRY);
	BUG_ON(mm_flags_test(MMF_RECALC_UPROBES, mm));
}

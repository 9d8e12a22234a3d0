// SPDX-License-Identifier: GPL-2.0-only
/*
 * optimize.c - a probed nop becomes a call, so that a hit costs a system call
 * and no trap.
 *
 * Mirrors arch/x86/kernel/uprobes.c of Linux 6.18, and of 7.2 in what struct
 * arch_opt tells apart. The probe begins as a breakpoint; a task that hits it
 * makes it a call to a page of code in reach, of which an mm has few, and which
 * stay as long as the mm: a task may be in one, or between call and system call,
 * for any time. Threads execute the place meanwhile. An instruction of several
 * bytes cannot be replaced at once, so its first byte is a breakpoint as long as
 * the others are written (P16):
 *
 *	breakpoint | cores | other bytes | cores | first byte | cores
 *
 * "cores": whoever has fetched some bytes has executed them. What a nop became
 * may be two instructions, with a task between them, which no wait for cores
 * sees. So the second stays as it is, also when the first and with it the whole
 * is a nop again (P17). Left out: copies of the pages at fork.
 */
#include <asm/shstk.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <sim/entry.h>
#include "machine.h"
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

/* A page of code that probes call. */
struct uprobe_trampoline {
	struct uprobe_trampoline *next;
	unsigned long vaddr;
};

/* ---- designs ----------------------------------------------------------------- */

const struct uprobe_optimize uprobe_optimize_none = { "none", ARCH_OPT_NONE };
const struct uprobe_optimize uprobe_optimize_nop5 = { "nop5", ARCH_OPT_NOP5 };
const struct uprobe_optimize uprobe_optimize_nop10 = { "nop10",
						       ARCH_OPT_NOP10 };

/* NULL: no probe becomes a call. */
static const struct arch_opt *opt_of(const struct arch_ops *arch)
{
	return arch->opt[uprobe_variant()->optimize->form];
}

static const struct arch_opt *mm_opt(struct mm_struct *mm)
{
	return opt_of(sim_mm_arch(mm));
}

/* Two pages cannot be written as one. */
bool uprobe_can_optimize(const struct arch_ops *arch,
			 const struct arch_insn *insn, loff_t offset)
{
	const struct arch_opt *opt = opt_of(arch);

	return opt && insn->len == opt->len &&
	       !memcmp(insn->bytes, opt->nop, opt->len) &&
	       offset_in_page(offset) + opt->len <= PAGE_SIZE;
}

/* ---- trampolines ---------------------------------------------------------------- */

/* Caller holds mmap_lock. */
static bool is_trampoline(struct mm_struct *mm, unsigned long vaddr)
{
	struct uprobe_trampoline *t = mm->uprobes_state.trampolines;

	while (t && t->vaddr != vaddr)
		t = t->next;
	return t;
}

static struct uprobe_trampoline *new_trampoline(struct mm_struct *mm,
						unsigned long vaddr)
{
	struct uprobe_trampoline *t = kzalloc_obj(struct uprobe_trampoline);
	const struct arch_opt *opt = mm_opt(mm);

	if (t && machine_map_trampoline(mm, vaddr, opt->code, opt->code_len,
					&t->vaddr)) {
		kfree(t);
		t = NULL;
	}
	return t;
}

/*
 * The call at vaddr to some trampoline; false: there is none in reach. It is the
 * oldest that is, so that it is always the same (P17).
 */
static bool build_call(struct mm_struct *mm, unsigned long vaddr,
		       unsigned char *call)
{
	struct uprobe_trampoline **t = &mm->uprobes_state.trampolines;
	const struct arch_opt *opt = mm_opt(mm);

	for (; *t; t = &(*t)->next)
		if (opt->call(opt, call, vaddr, (*t)->vaddr))
			return true;
	*t = new_trampoline(mm, vaddr);
	return *t && opt->call(opt, call, vaddr, (*t)->vaddr);
}

void uprobe_free_trampolines(struct mm_struct *mm)
{
	struct uprobe_trampoline *t;

	while ((t = mm->uprobes_state.trampolines)) {
		mm->uprobes_state.trampolines = t->next;
		kfree(t);
	}
}

/* ---- text: caller holds mmap_lock for write ------------------------------------- */

/* The first len bytes of insn are to be at vaddr. */
struct change {
	struct mm_struct *mm;
	unsigned long vaddr;
	const unsigned char *insn;
	unsigned int len;
};

/* What has to be there before a write; else somebody else's bytes are. */
enum expect {
	EXPECT_OPTIMIZED, /* a call to a trampoline */
	EXPECT_SWBP,	  /* a breakpoint, the rest may be anybody's */
	EXPECT_PARTIAL,	  /* a breakpoint, the rest is that of the change */
};

static bool is_call(struct mm_struct *mm, unsigned long vaddr,
		    const unsigned char *bytes)
{
	const struct arch_opt *opt = mm_opt(mm);
	unsigned long code;

	return opt->target(opt, bytes, vaddr, &code) && is_trampoline(mm, code);
}

static bool is_expected(const struct change *c, const unsigned char *now,
			enum expect expect)
{
	const struct arch_ops *arch = sim_mm_arch(c->mm);

	if (expect == EXPECT_OPTIMIZED)
		return is_call(c->mm, c->vaddr, now);
	if (memcmp(now, arch->bp, arch->bp_len))
		return false;
	return expect == EXPECT_SWBP ||
	       !memcmp(now + arch->bp_len, c->insn + arch->bp_len,
		       c->len - arch->bp_len);
}

/* Bytes [from, to) of the change, and cores see them. */
static int write_part(const struct change *c, unsigned int from,
		      unsigned int to, enum expect expect)
{
	unsigned char now[ARCH_INSN_MAX];
	int err;

	do {
		err = machine_read(c->mm, c->vaddr, now, mm_opt(c->mm)->len);
		if (err)
			return err;
		if (!is_expected(c, now, expect))
			return -EINVAL;
		err = machine_write_text(c->mm, c->vaddr + from, c->insn + from,
					 to - from);
	} while (err == -EAGAIN);
	if (err)
		return err;
	return machine_sync_cores(c->mm);
}

/* Where a breakpoint is. */
static int write_behind_breakpoint(const struct change *c)
{
	const struct arch_ops *arch = sim_mm_arch(c->mm);
	int err;

	err = write_part(c, arch->bp_len, c->len, EXPECT_SWBP);
	if (err)
		return err;
	return write_part(c, 0, arch->bp_len, EXPECT_PARTIAL);
}

int uprobe_is_optimized(struct mm_struct *mm, unsigned long vaddr)
{
	unsigned char now[ARCH_INSN_MAX];
	int err;

	err = machine_read(mm, vaddr, now, mm_opt(mm)->len);
	return err ? err : is_call(mm, vaddr, now);
}

static int write_breakpoint(struct mm_struct *mm, unsigned long vaddr)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	const struct change c = { mm, vaddr, arch->bp, arch->bp_len };

	return write_part(&c, 0, c.len, EXPECT_OPTIMIZED);
}

int uprobe_unoptimize(struct uprobe *uprobe, struct mm_struct *mm,
		      unsigned long vaddr)
{
	const struct arch_opt *opt = mm_opt(mm);
	const struct change c = { mm, vaddr, uprobe->insn.bytes,
				  opt->undo_len };
	unsigned char now[ARCH_INSN_MAX];
	int err;

	err = machine_read(mm, vaddr, now, opt->len);
	if (err)
		return err;
	/* It was never more than a breakpoint, or is undone but for that. */
	if (is_expected(&c, now, EXPECT_PARTIAL))
		return machine_write_text(mm, vaddr, c.insn,
					  sim_mm_arch(mm)->bp_len);
	if (is_call(mm, vaddr, now))
		err = write_breakpoint(mm, vaddr);
	if (err)
		return err;
	/* Also if an optimisation or its undoing stopped half-way. */
	return write_behind_breakpoint(&c);
}

static int optimize(struct mm_struct *mm, unsigned long vaddr)
{
	unsigned char call[ARCH_INSN_MAX];
	const struct change c = { mm, vaddr, call, mm_opt(mm)->len };
	int err;

	if (!build_call(mm, vaddr, call))
		return -ENOMEM;
	/* Its breakpoint may be young: cores may have the nop still. */
	err = machine_sync_cores(mm);
	return err ? err : write_behind_breakpoint(&c);
}

void arch_uprobe_optimize(struct uprobe *uprobe, unsigned long vaddr)
{
	struct mm_struct *mm = current->mm;

	if (!test_bit(UPROBE_CAN_OPTIMIZE, &uprobe->flags) ||
	    test_bit(UPROBE_OPTIMIZE_FAIL, &uprobe->flags))
		return;
	/* The call would be on that stack, its return would not. */
	if (shstk_is_enabled())
		return;

	mmap_write_lock(mm);
	/* Not if it was unregistered meanwhile, or another task was faster. */
	if (is_trap_at_addr(mm, vaddr) > 0 && optimize(mm, vaddr))
		set_bit(UPROBE_OPTIMIZE_FAIL, &uprobe->flags);
	mmap_write_unlock(mm);
}

/* ---- the system call --------------------------------------------------------------- */

static bool in_uprobe_trampoline(struct mm_struct *mm, unsigned long ip)
{
	const struct arch_opt *opt = mm_opt(mm);
	bool in;

	if (!opt)
		return false;
	mmap_read_lock(mm);
	in = is_trampoline(mm, ip - opt->code_ip);
	mmap_read_unlock(mm);
	return in;
}

static int transfer(struct mm_struct *mm, unsigned long sp, unsigned long *word,
		    bool store)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARCH_OPT_WORDS && !err; i++, sp += sizeof(*word))
		err = store ? machine_write(mm, sp, &word[i], sizeof(*word))
			    : machine_read(mm, sp, &word[i], sizeof(*word));
	return err;
}

long sys_uprobe(struct pt_regs *regs)
{
	const struct arch_ops *arch = sim_mm_arch(current->mm);
	const struct arch_opt *opt = mm_opt(current->mm);
	unsigned long ip = arch->get_ip(regs), sp, vaddr;
	unsigned long word[ARCH_OPT_WORDS];

	/* So a program can find out whether there is such a call. */
	if (!in_uprobe_trampoline(current->mm, ip))
		return -ENXIO;
	if (transfer(current->mm, arch->get_sp(regs), word, false))
		goto sigill;

	opt->enter(opt, regs, word);
	vaddr = arch->get_ip(regs);
	sp = arch->get_sp(regs);
	handle_syscall_uprobe(regs, vaddr);

	/* A handler has moved the stack: the code cannot return from it. */
	if (arch->get_sp(regs) != sp) {
		if (arch->get_ip(regs) == vaddr)
			arch->set_ip(regs, vaddr + opt->len);
		return 0;
	}
	opt->leave(opt, regs, word);
	arch->set_ip(regs, ip);
	if (!transfer(current->mm, arch->get_sp(regs), word, true))
		return 0;
sigill:
	force_sig(SIGILL);
	return 0;
}

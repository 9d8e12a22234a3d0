// SPDX-License-Identifier: GPL-2.0-only
/*
 * optimize.c - a probed nop becomes a call, so that a hit costs a system call
 * and no trap.
 *
 * Mirrors arch/x86/kernel/uprobes.c of Linux 6.18. The probe begins as a
 * breakpoint; a task that hits it makes it a call to a page of code in reach, of
 * which an mm has few, and which stay as long as the mm: a task may be in one, or
 * between call and system call, for any time. Threads execute the place
 * meanwhile. An instruction of several bytes cannot be replaced at once, so its
 * first byte is a breakpoint as long as the others are written (P16):
 *
 *	breakpoint | cores | other bytes | cores | first byte | cores
 *
 * "cores": whoever has fetched some bytes has executed them. Left out: copies of
 * the pages at fork, the form of 2026 that leaves the red zone alone.
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

static bool none_suits(const struct arch_ops *arch,
		       const struct arch_insn *insn, loff_t offset)
{
	return false;
}

/* Two pages cannot be written as one. */
static bool nop5_suits(const struct arch_ops *arch,
		       const struct arch_insn *insn, loff_t offset)
{
	return arch->opt_len && arch->opt_suits(insn) &&
	       offset_in_page(offset) + arch->opt_len <= PAGE_SIZE;
}

const struct uprobe_optimize uprobe_optimize_none = { "none", none_suits };
const struct uprobe_optimize uprobe_optimize_nop5 = { "nop5", nop5_suits };

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
	unsigned char code[ARCH_OPT_CODE_MAX];
	unsigned int n = sim_mm_arch(mm)->opt_code(code);

	if (!t)
		return NULL;
	if (machine_map_trampoline(mm, vaddr, code, n, &t->vaddr)) {
		kfree(t);
		return NULL;
	}
	t->next = mm->uprobes_state.trampolines;
	mm->uprobes_state.trampolines = t;
	return t;
}

/* The call at vaddr to some trampoline; false: there is none in reach. */
static bool build_call(struct mm_struct *mm, unsigned long vaddr,
		       unsigned char *call)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	struct uprobe_trampoline *t;

	for (t = mm->uprobes_state.trampolines; t; t = t->next)
		if (arch->opt_call(call, vaddr, t->vaddr))
			return true;
	t = new_trampoline(mm, vaddr);
	return t && arch->opt_call(call, vaddr, t->vaddr);
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

/* What has to be there before a write; else somebody else's bytes are. */
enum expect {
	EXPECT_OPTIMIZED, /* a call to a trampoline */
	EXPECT_SWBP,	  /* a breakpoint, the rest may be anybody's */
	EXPECT_PARTIAL,	  /* a breakpoint, the rest is that of the new one */
};

static bool is_call(struct mm_struct *mm, unsigned long vaddr,
		    const unsigned char *bytes)
{
	unsigned long code;

	return sim_mm_arch(mm)->opt_target(bytes, vaddr, &code) &&
	       is_trampoline(mm, code);
}

static bool is_expected(struct mm_struct *mm, unsigned long vaddr,
			const unsigned char *now, enum expect expect,
			const unsigned char *insn)
{
	const struct arch_ops *arch = sim_mm_arch(mm);

	if (expect == EXPECT_OPTIMIZED)
		return is_call(mm, vaddr, now);
	if (memcmp(now, arch->bp, arch->bp_len))
		return false;
	return expect == EXPECT_SWBP ||
	       !memcmp(now + arch->bp_len, insn + arch->bp_len,
		       arch->opt_len - arch->bp_len);
}

/* Bytes [from, to) of insn, and cores see them. */
static int write_part(struct mm_struct *mm, unsigned long vaddr,
		      const unsigned char *insn, unsigned int from,
		      unsigned int to, enum expect expect)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	unsigned char now[ARCH_INSN_MAX];
	int err;

	do {
		err = machine_read(mm, vaddr, now, arch->opt_len);
		if (err)
			return err;
		if (!is_expected(mm, vaddr, now, expect, insn))
			return -EINVAL;
		err = machine_write_text(mm, vaddr + from, insn + from,
					 to - from);
	} while (err == -EAGAIN);
	if (err)
		return err;
	return machine_sync_cores(mm);
}

/* The breakpoint at vaddr and what follows becomes insn. */
static int replace_breakpoint(struct mm_struct *mm, unsigned long vaddr,
			      const unsigned char *insn)
{
	const struct arch_ops *arch = sim_mm_arch(mm);
	int err;

	err = write_part(mm, vaddr, insn, arch->bp_len, arch->opt_len,
			 EXPECT_SWBP);
	if (err)
		return err;
	return write_part(mm, vaddr, insn, 0, arch->bp_len, EXPECT_PARTIAL);
}

int uprobe_is_optimized(struct mm_struct *mm, unsigned long vaddr)
{
	unsigned char now[ARCH_INSN_MAX];
	int err;

	err = machine_read(mm, vaddr, now, sim_mm_arch(mm)->opt_len);
	return err ? err : is_call(mm, vaddr, now);
}

int uprobe_unoptimize(struct uprobe *uprobe, struct mm_struct *mm,
		      unsigned long vaddr)
{
	const unsigned char *orig = uprobe->insn.bytes;
	const struct arch_ops *arch = sim_mm_arch(mm);
	unsigned char now[ARCH_INSN_MAX];
	int err;

	err = machine_read(mm, vaddr, now, arch->opt_len);
	if (err)
		return err;
	/* It was never more than a breakpoint. */
	if (is_expected(mm, vaddr, now, EXPECT_PARTIAL, orig))
		return machine_write_text(mm, vaddr, orig, arch->bp_len);
	if (is_call(mm, vaddr, now))
		err = write_part(mm, vaddr, arch->bp, 0, arch->bp_len,
				 EXPECT_OPTIMIZED);
	if (err)
		return err;
	/* Also if an optimisation or its undoing stopped half-way. */
	return replace_breakpoint(mm, vaddr, orig);
}

static int optimize(struct mm_struct *mm, unsigned long vaddr)
{
	unsigned char call[ARCH_INSN_MAX];
	int err;

	if (!build_call(mm, vaddr, call))
		return -ENOMEM;
	/* Its breakpoint may be young: cores may have the nop still. */
	err = machine_sync_cores(mm);
	return err ? err : replace_breakpoint(mm, vaddr, call);
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
	bool in;

	mmap_read_lock(mm);
	in = is_trampoline(mm, ip - sim_mm_arch(mm)->opt_ip);
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
	unsigned long ip = arch->get_ip(regs), sp, vaddr;
	unsigned long word[ARCH_OPT_WORDS];

	/* So a program can find out whether there is such a call. */
	if (!in_uprobe_trampoline(current->mm, ip))
		return -ENXIO;
	if (transfer(current->mm, arch->get_sp(regs), word, false))
		goto sigill;

	arch->opt_enter(regs, word);
	vaddr = arch->get_ip(regs);
	sp = arch->get_sp(regs);
	handle_syscall_uprobe(regs, vaddr);

	/* A handler has moved the stack: the code cannot return from it. */
	if (arch->get_sp(regs) != sp) {
		if (arch->get_ip(regs) == vaddr)
			arch->set_ip(regs, vaddr + arch->opt_len);
		return 0;
	}
	arch->opt_leave(regs, word);
	arch->set_ip(regs, ip);
	if (!transfer(current->mm, arch->get_sp(regs), word, true))
		return 0;
sigill:
	force_sig(SIGILL);
	return 0;
}

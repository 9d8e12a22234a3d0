// SPDX-License-Identifier: GPL-2.0-only
/*
 * arch.c - the kernel's architecture hooks, over struct arch_ops.
 *
 * Mirrors what arch/x86/kernel/uprobes.c of Linux 6.15..6.18 does around its
 * decoder. An emulation or a fix-up comes from arch_ops as an effect; here it
 * is performed on the task's memory, and its failure handled. Left out: shadow
 * stacks, arch_uprobe_ignore; optimised probes are in optimize.c.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <sim/entry.h>
#include "machine.h"
#include "uprobes/uprobes.h"

/* trap_nr of a task that steps; any trap replaces it by its own number. */
#define UPROBE_TRAP_NR (~0UL)

/* Word by word: an aggregate copy would not be seen by instrumentation. */
static void copy_regs(struct pt_regs *to, const struct pt_regs *from)
{
	const unsigned long *s = (const unsigned long *)from;
	unsigned long *d = (unsigned long *)to;
	size_t i;

	for (i = 0; i < sizeof(*to) / sizeof(*d); i++)
		d[i] = s[i];
}

static const struct arch_ops *current_arch(void)
{
	return sim_mm_arch(current->mm);
}

/* Memory first: if it fails, the registers are as they were. */
static int perform(const struct arch_effect *eff, struct pt_regs *regs)
{
	int err = 0;

	if (eff->access == ARCH_STORE)
		err = machine_write(current->mm, eff->addr, &eff->val,
				    eff->size);
	if (err)
		return err;
	copy_regs(regs, &eff->regs);
	if (unlikely(eff->trace_trap))
		force_trace_trap();
	return 0;
}

int arch_uprobe_analyze_insn(struct uprobe *uprobe, struct mm_struct *mm,
			     const unsigned char *bytes, int n)
{
	const struct arch_ops *arch = sim_mm_arch(mm);

	if (uprobe->offset & (arch->insn_align - 1))
		return -EINVAL;
	if (arch->analyze(bytes, n, &uprobe->insn) == ARCH_OK)
		return 0;
	/*
	 * The failed registration is taken back, and finds a breakpoint there if
	 * the program has one of its own: what it then writes is what was there.
	 */
	memcpy(uprobe->insn.bytes, bytes, n);
	return -ENOTSUPP;
}

/*
 * False: it has to run in a slot; so, too, if the emulation's access failed,
 * for then the copy fails in the same way and reports it.
 */
bool arch_uprobe_skip_sstep(struct uprobe *uprobe, struct pt_regs *regs,
			    unsigned long vaddr)
{
	struct arch_effect eff;

	return uprobe->insn.how == ARCH_EMULATE &&
	       current_arch()->emulate(&uprobe->insn, vaddr, regs, &eff) &&
	       !perform(&eff, regs);
}

int arch_uprobe_pre_xol(struct uprobe *uprobe, struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;

	if (!current_arch()->pre_xol(&uprobe->insn, utask->vaddr,
				     utask->xol_vaddr, regs, &utask->autask))
		return -EINVAL;
	current->thread.trap_nr = UPROBE_TRAP_NR;
	return 0;
}

int arch_uprobe_post_xol(struct uprobe *uprobe, struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;
	struct arch_effect eff;
	int err;

	WARN_ON_ONCE(current->thread.trap_nr != UPROBE_TRAP_NR);
	current->thread.trap_nr = 0;
	current_arch()->post_xol(&uprobe->insn, utask->vaddr, utask->xol_vaddr,
				 regs, &utask->autask, &eff);
	err = perform(&eff, regs);
	if (err)
		current_arch()->abort_xol(&uprobe->insn, utask->vaddr, regs,
					  &utask->autask);
	return err;
}

void arch_uprobe_abort_xol(struct uprobe *uprobe, struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;

	current->thread.trap_nr = 0;
	current_arch()->abort_xol(&uprobe->insn, utask->vaddr, regs,
				  &utask->autask);
}

bool arch_uprobe_xol_was_trapped(struct task_struct *t)
{
	return t->thread.trap_nr != UPROBE_TRAP_NR;
}

unsigned long arch_uretprobe_hijack_return_addr(unsigned long trampoline,
						struct pt_regs *regs)
{
	const struct arch_ops *arch = current_arch();
	unsigned long addr, orig, now;

	if (!arch->ret_in_memory(regs, &addr)) {
		orig = arch->get_lr(regs);
		/*
		 * Signed already: ours would be taken for forged. Linux
		 * replaces it all the same.
		 */
		if (arch->strip(orig) != orig)
			return -1;
		arch->set_lr(regs, trampoline);
		return orig;
	}

	if (machine_read(current->mm, addr, &orig, sizeof(orig)))
		return -1;
	if (orig == trampoline) /* an outer instance did it already */
		return orig;
	if (!machine_write(current->mm, addr, &trampoline, sizeof(trampoline)))
		return orig;

	/* Written in part: the function cannot return to anywhere (B85). */
	if (machine_read(current->mm, addr, &now, sizeof(now)) || now != orig)
		force_sig(SIGSEGV);
	return -1;
}

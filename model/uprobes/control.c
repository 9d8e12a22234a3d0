// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - the world's handles on the probe logic: probes, steps, detach.
 *
 * Not the kernel's: the uprobe part of sim/entry.h, over the kernel-named code.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <sim/entry.h>
#include "machine.h"
#include "uprobes/control.h"
#include "uprobes/uprobes.h"

struct sim_probe {
	struct uprobe_consumer uc;
	struct uprobe *uprobe;
	void (*entry)(void *arg, struct pt_regs *regs);
	void (*ret)(void *arg, unsigned long func, struct pt_regs *regs);
	void *arg;
};

static int probe_handler(struct uprobe_consumer *uc, struct pt_regs *regs,
			 u64 *data)
{
	struct sim_probe *probe = container_of(uc, struct sim_probe, uc);

	probe->entry(probe->arg, regs);
	return 0;
}

static int probe_ret_handler(struct uprobe_consumer *uc, unsigned long func,
			     struct pt_regs *regs, u64 *data)
{
	struct sim_probe *probe = container_of(uc, struct sim_probe, uc);

	probe->ret(probe->arg, func, regs);
	return 0;
}

struct sim_probe *sim_probe_add(struct inode *inode, unsigned long offset,
				unsigned long ref_ctr_offset,
				void (*entry)(void *arg, struct pt_regs *regs),
				void (*ret)(void *arg, unsigned long func,
					    struct pt_regs *regs),
				void *arg, int *err)
{
	struct sim_probe *probe = kzalloc_obj(struct sim_probe);

	if (!probe) {
		*err = -ENOMEM;
		return NULL;
	}
	probe->entry = entry;
	probe->ret = ret;
	probe->arg = arg;
	probe->uc.handler = entry ? probe_handler : NULL;
	probe->uc.ret_handler = ret ? probe_ret_handler : NULL;

	probe->uprobe = uprobe_register(inode, offset, ref_ctr_offset,
					&probe->uc);
	*err = 0;
	if (IS_ERR(probe->uprobe)) {
		*err = PTR_ERR(probe->uprobe);
		kfree(probe);
		return NULL;
	}
	return probe;
}

void sim_probe_del(struct sim_probe *probe)
{
	uprobe_unregister_nosync(probe->uprobe, &probe->uc);
	uprobe_unregister_sync();
	kfree(probe);
}

const struct arch_insn *uprobe_pending_step(unsigned long *vaddr)
{
	struct uprobe_task *utask = current->utask;

	if (!utask || !utask->active_uprobe ||
	    utask->state == UTASK_SSTEP_ACK ||
	    utask->state == UTASK_SSTEP_TRAPPED)
		return NULL; /* or over, but for its completion */
	*vaddr = utask->vaddr;
	return &utask->active_uprobe->insn;
}

bool sim_ret_next(struct task_struct *task, void **cursor, unsigned long *slot,
		  unsigned long *orig)
{
	struct return_instance *ri = *cursor;

	if (ri)
		ri = ri->next;
	else if (task->utask)
		ri = task->utask->return_instances;
	if (!ri)
		return false;
	*cursor = ri;
	*slot = sim_mm_arch(task->mm)->link_register ? ri->stack - sizeof(*slot)
						     : ri->stack;
	*orig = ri->orig_ret_vaddr;
	return true;
}

bool sim_ret_full(void)
{
	return current->utask && current->utask->depth >= MAX_URETPROBE_DEPTH;
}

/* Behind a link register only the world can find where it was saved. */
static bool knows_words(void)
{
	return !sim_mm_arch(current->mm)->link_register;
}

/*
 * Innermost first, and only where our address still is: the frame of a dead
 * instance may be somebody else's memory by now. A word that cannot be written
 * is one that cannot be returned through either.
 */
static void restore_returns(void)
{
	unsigned long slot, orig, now;
	void *cursor = NULL;

	if (!knows_words())
		return;
	while (sim_ret_next(current, &cursor, &slot, &orig)) {
		if (!machine_read(current->mm, slot, &now, sizeof(now)) &&
		    now == uprobe_get_trampoline_vaddr())
			machine_write(current->mm, slot, &orig, sizeof(orig));
	}
}

unsigned int sim_ret_reveal(void)
{
	restore_returns();
	return current->utask ? current->utask->depth : 0;
}

/*
 * Where our address is, a return may still come, whatever is said of the frame:
 * the stack may be a coroutine's. Such an instance must stay.
 */
static bool was_left(const struct return_instance *ri, unsigned long from,
		     unsigned long to)
{
	unsigned long now;

	if (!knows_words())
		return ri->stack > from && ri->stack <= to;
	return ri->stack >= from && ri->stack < to &&
	       !machine_read(current->mm, ri->stack, &now, sizeof(now)) &&
	       now != uprobe_get_trampoline_vaddr();
}

void sim_ret_forget(unsigned long from, unsigned long to,
		    void (*left)(unsigned long func))
{
	struct uprobe_task *utask = current->utask;
	struct return_instance *ri;

	while (utask && (ri = utask->return_instances) &&
	       was_left(ri, from, to)) {
		left(ri->func);
		unlink_return_instance(utask, ri);
		free_ret_instance(utask, ri, true);
	}
}

/*
 * A word that is not the return address any more belongs to somebody else. If
 * it is, ours leads to the same place: the frame may even be a dead one.
 */
void sim_ret_hide(unsigned int except)
{
	struct uprobe_task *utask = current->utask;
	struct return_instance *ri = utask ? utask->return_instances : NULL;
	unsigned long now, trampoline = uprobe_get_trampoline_vaddr();
	unsigned int n = utask ? utask->depth : 0;

	for (; ri && n > except && knows_words(); ri = ri->next, n--) {
		if (!machine_read(current->mm, ri->stack, &now, sizeof(now)) &&
		    now == ri->orig_ret_vaddr)
			machine_write(current->mm, ri->stack, &trampoline,
				      sizeof(trampoline));
	}
}

void sim_user_detach(struct pt_regs *regs)
{
	const struct arch_ops *arch = sim_mm_arch(current->mm);
	struct uprobe_task *utask;

	/* A trap that was claimed but not handled yet. */
	if (test_thread_flag(TIF_UPROBE))
		uprobe_notify_resume(regs);

	utask = current->utask;
	if (!utask)
		return;
	if (utask->active_uprobe) {
		utask->state = UTASK_SSTEP_TRAPPED;
		handle_singlestep(utask, regs);
	}
	/* It has returned into the trampoline, but not hit it yet. */
	if (arch->get_ip(regs) == uprobe_get_trampoline_vaddr())
		uprobe_handle_trampoline(regs);
	restore_returns();
	uprobe_free_utask(current);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * uretprobe.c - return addresses are replaced on entry and put right on return.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.15..6.18 with the breakpoint form
 * of the trampoline. A run of instances that share one stack word (tail calls)
 * is a chain: the outermost is not `chained`, the others are. Frames that were
 * left by longjmp are noticed by their stack pointer, at the next entry or
 * return. Left out: the syscall trampoline, shadow stacks.
 */
#include <linux/bug.h>
#include <linux/jiffies.h>
#include <linux/printk.h>
#include <linux/rcupdate_trace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/timer.h>
#include <sim/entry.h>
#include "uprobes/uprobes.h"

/* A lease holds up grace periods for this long at most. */
#define RI_TIMER_PERIOD (HZ / 10)

static bool ri_is_alive(struct return_instance *ri, enum arch_rp_check ctx,
			struct pt_regs *regs)
{
	return sim_mm_arch(current->mm)->is_alive(ri->stack, ctx, regs);
}

/* Before any handler runs for ri: unwinders walk what is still hijacked. */
void unlink_return_instance(struct uprobe_task *utask,
			    struct return_instance *ri)
{
	rcu_assign_pointer(utask->return_instances, ri->next);
	utask->depth--;
}

static void cleanup_return_instances(struct uprobe_task *utask, bool chained,
				     struct pt_regs *regs)
{
	enum arch_rp_check ctx = chained ? ARCH_RP_CHAIN_CALL : ARCH_RP_CALL;
	struct return_instance *ri;

	while ((ri = utask->return_instances) && !ri_is_alive(ri, ctx, regs)) {
		unlink_return_instance(utask, ri);
		free_ret_instance(utask, ri, true);
	}
}

/*
 * Replace the return address and fill in ri. False: this call is not followed.
 */
static bool hijack(struct uprobe_task *utask, struct return_instance *ri,
		   struct pt_regs *regs)
{
	const struct arch_ops *arch = sim_mm_arch(current->mm);
	unsigned long trampoline, orig;
	bool chained;

	if (!get_xol_area())
		return false;
	if (utask->depth >= MAX_URETPROBE_DEPTH) {
		printk_ratelimited(KERN_WARNING "uprobe: more than %d nested "
						"calls, return not followed\n",
				   MAX_URETPROBE_DEPTH);
		return false;
	}

	trampoline = uprobe_get_trampoline_vaddr();
	orig = arch_uretprobe_hijack_return_addr(trampoline, regs);
	if (orig == -1UL)
		return false;

	chained = orig == trampoline;
	cleanup_return_instances(utask, chained, regs);
	if (chained) {
		if (!utask->return_instances) {
			/* The program wrote our address there itself. */
			printk_ratelimited(KERN_WARNING
					   "uprobe: trampoline address found "
					   "on the stack\n");
			return false;
		}
		orig = utask->return_instances->orig_ret_vaddr;
	}

	ri->func = arch->get_ip(regs);
	ri->stack = arch->get_sp(regs);
	ri->orig_ret_vaddr = orig;
	ri->chained = chained;
	return true;
}

void prepare_uretprobe(struct uprobe *uprobe, struct pt_regs *regs,
		       struct return_instance *ri)
{
	struct uprobe_task *utask = current->utask;
	int srcu_idx;

	if (!hijack(utask, ri, regs)) {
		ri_drop(ri);
		return;
	}

	/*
	 * The lease. Closed by whoever takes the hprobe out of LEASED, perhaps
	 * in another context, hence the raw form.
	 */
	srcu_idx = __srcu_read_lock(&uretprobes_srcu);
	utask->depth++;
	hprobe_init_leased(&ri->hprobe, uprobe, srcu_idx);
	ri->next = utask->return_instances;
	rcu_assign_pointer(utask->return_instances, ri);

	mod_timer(&utask->ri_timer, jiffies + RI_TIMER_PERIOD);
}

/*
 * Both the consumers now and those stored at entry are in list order, so the
 * search goes on from where the last one was found. id is an int as in the
 * kernel: it compares the low half only.
 */
static struct return_consumer *return_consumer_find(struct return_instance *ri,
						    int *cursor, int id)
{
	struct return_consumer *ric;
	int i;

	for (i = *cursor; i < ri->cons_cnt; i++) {
		ric = i ? &ri->extra_consumers[i - 1] : &ri->consumer;
		if (ric->id == id) {
			*cursor = i + 1;
			return ric;
		}
	}
	return NULL;
}

static void handle_uretprobe_chain(struct return_instance *ri,
				   struct uprobe *uprobe, struct pt_regs *regs)
{
	struct return_consumer *ric;
	struct uprobe_consumer *uc;
	int cursor = 0;

	if (!uprobe)
		return;

	rcu_read_lock_trace();
	list_for_each_entry_rcu(uc, &uprobe->consumers, cons_node,
				rcu_read_lock_trace_held()) {
		if (!uc->ret_handler)
			continue;
		ric = return_consumer_find(ri, &cursor, uc->id);
		/* A session that did not see the entry sees no return. */
		if (uc->handler && !ric)
			continue;
		uc->ret_handler(uc, ri->func, regs, ric ? &ric->cookie : NULL);
	}
	rcu_read_unlock_trace();
}

/* The instance behind the chain that ri heads. */
static struct return_instance *find_next_ret_chain(struct return_instance *ri)
{
	while (ri->chained)
		ri = ri->next;
	return ri->next;
}

/* All instances up to `end` returned, or (valid false) were left by longjmp. */
static void finish_chain(struct uprobe_task *utask, struct return_instance *end,
			 bool valid, struct pt_regs *regs)
{
	struct return_instance *ri;
	enum hprobe_state hstate;
	struct uprobe *uprobe;

	while ((ri = utask->return_instances) != end) {
		unlink_return_instance(utask, ri);
		uprobe = hprobe_consume(&ri->hprobe, &hstate);
		if (valid)
			handle_uretprobe_chain(ri, uprobe, regs);
		hprobe_finalize(&ri->hprobe, hstate);
		free_ret_instance(utask, ri, false);
	}
}

void uprobe_handle_trampoline(struct pt_regs *regs)
{
	struct uprobe_task *utask = current->utask;
	struct return_instance *next;
	bool valid;

	if (!utask)
		goto sigill;
	do {
		if (!utask->return_instances)
			goto sigill;
		/*
		 * If the next chain's frame is dead as well, this one was left
		 * by longjmp, and it is the next (or one behind) that returns.
		 */
		next = find_next_ret_chain(utask->return_instances);
		valid = !next || ri_is_alive(next, ARCH_RP_RET, regs);

		sim_mm_arch(current->mm)
			->set_ip(regs, utask->return_instances->orig_ret_vaddr);
		finish_chain(utask, next, valid, regs);
	} while (!valid);
	return;

sigill:
	printk_ratelimited(KERN_WARNING
			   "uprobe: trampoline entered without a call\n");
	force_sig(SIGILL);
}

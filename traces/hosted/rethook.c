// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function whose return is hooked is called and returns, while the hook is freed.
 * The call returns to where it came from; its handler runs at most once, and not after
 * the hook's stop and a grace period; every node goes back.
 *
 *	trapline host TREE --file kernel/trace/rethook.c --file lib/objpool.c \
 *		traces/hosted/rethook.c
 *
 * Before 6.7 without lib/objpool.c. NODES (1). -DNESTED: the function calls itself.
 * -DHASTY: the owner does not see to it that nobody hooks calls any more.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/version.h>
#include <trapline/scenario.h>

#ifndef NODES
#define NODES 1
#endif

#define CALLER 0x1000
#define TRAMPOLINE ((unsigned long)arch_rethook_trampoline)

static struct rethook *hook;
static unsigned long stack[4];
static int armed = 1; /* the probe that hooks calls */
static int calls, handled;
static atomic_t stopped;

/* ---- an architecture ------------------------------------------------------- */

void arch_rethook_trampoline(void)
{
}

/* regs->sp is where the return address is. */
void arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs,
			  bool mcount)
{
	unsigned long *ret = (unsigned long *)regs->sp;

	node->ret_addr = *ret;
	node->frame = regs->sp;
	*ret = TRAMPOLINE;
}

/* ---- a user ------------------------------------------------------------------ */

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
static void on_return(struct rethook_node *node, void *data,
		      unsigned long ret_addr, struct pt_regs *regs)
#else
static void on_return(struct rethook_node *node, void *data,
		      struct pt_regs *regs)
#endif
{
	BUG_ON(atomic_read(&stopped));
	BUG_ON(data != &handled);
	handled++;
}

static void make_hook(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	hook = rethook_alloc(&handled, on_return, sizeof(struct rethook_node),
			     NODES);
	BUG_ON(IS_ERR(hook));
#else
	int i;

	hook = rethook_alloc(&handled, on_return);
	BUG_ON(!hook);
	for (i = 0; i < NODES; i++) {
		struct rethook_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

		BUG_ON(!node);
		rethook_add_node(hook, node);
	}
#endif
}

SCENARIO_SETUP()
{
	make_hook();
}

/* What a kretprobe does at the entry of the function: with preemption off. */
static void enter(struct pt_regs *regs)
{
	struct rethook_node *node;

	preempt_disable();
	node = READ_ONCE(armed) ? rethook_try_get(hook) : NULL;
	if (node) {
		rethook_hook(node, regs, false);
		calls++;
	}
	preempt_enable();
}

static void call(unsigned int depth)
{
	struct pt_regs regs = { .sp = (unsigned long)&stack[depth] };

	stack[depth] = CALLER;
	enter(&regs);
#ifdef NESTED
	if (!depth)
		call(1);
#endif
	if (stack[depth] == TRAMPOLINE)
		BUG_ON(rethook_trampoline_handler(&regs, regs.sp) != CALLER);
	else
		BUG_ON(stack[depth] != CALLER);
}

SCENARIO_THREAD(caller)
{
	call(0);
	BUG_ON(!llist_empty(&current->rethooks));
}

SCENARIO_THREAD(owner)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	rethook_stop(hook);
#endif
#ifndef HASTY
	WRITE_ONCE(armed, 0);
	synchronize_rcu();
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	atomic_set(&stopped, 1);
#endif
	rethook_free(hook);
}

SCENARIO_CHECK()
{
	BUG_ON(handled > calls);
}

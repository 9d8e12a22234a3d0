// SPDX-License-Identifier: GPL-2.0-only
/*
 * sections.c - RCU and its kin, as world.c says the rest of the kernel API:
 *
 *	section		sets and clears its own bit in its thread's word
 *	grace period	reads every thread's word, awaits that the bits seen clear
 *	callback	a thread of its own
 *
 * A grace period waits for the sections that it saw and for no others; a section
 * that begins later sets a bit that was not seen. Bits are never used twice.
 */
#include "hook.h"

#include "cpu.h"
#include "ledger.h"
#include "world.h"

#define PC __builtin_return_address(0)
#define SECTIONS 64 /* of one thread in one domain */

static unsigned int domain_number(struct sim_rcu *d)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		if (!engine->rcu_domains[i])
			engine->rcu_domains[i] = (uintptr_t)d;
		if (engine->rcu_domains[i] == (uintptr_t)d)
			return i;
	}
	runtime_fail(FIND_UNSUPPORTED, NULL, 0, "more than 8 RCU domains");
}

int sim_rcu_lock(struct sim_rcu *d)
{
	struct thread *t;
	unsigned int k;

	if (engine->cur < 0)
		return -1; /* set-up is alone */
	t = &engine->t[engine->cur];
	k = t->rcu_sections[domain_number(d)]++;
	if (k == SECTIONS)
		runtime_fail(
			FIND_UNSUPPORTED, NULL, 0,
			"an execution does not end, or has more than %d "
			"read sections of %s in one thread: bound the loop",
			SECTIONS, d->name);
	hook_rmw((uintptr_t)&d->reader[engine->cur], 8,
		 &(struct hook_op){ .op = OP_RCU_LOCK,
				    .rmw = RMW_OR,
				    .operand = 1ul << k },
		 PC);
	ledger_enters(d, engine->cur * SECTIONS + k, PC);
	return engine->cur * SECTIONS + k;
}

void sim_rcu_unlock(struct sim_rcu *d, int token)
{
	unsigned long bit = 1ul << (token & (SECTIONS - 1));
	unsigned long old;

	if (token == SIM_RCU_NONE || token >= NR_THREADS * SECTIONS)
		ledger_not_inside(d, NULL, PC);
	if (token < 0)
		return; /* of set-up's */
	ledger_leaves(d, token);
	old = hook_rmw((uintptr_t)&d->reader[token / SECTIONS], 8,
		       &(struct hook_op){ .op = OP_RCU_UNLOCK,
					  .rmw = RMW_AND,
					  .operand = ~bit },
		       PC);
	if (!(old & bit) && engine->cur >= 0)
		ledger_not_inside(d, ", which was left before", PC);
}

void sim_rcu_leaves_own(struct sim_rcu *d, int token)
{
	if (engine->cur >= 0 && token >= 0 && token / SECTIONS != engine->cur)
		ledger_not_inside(d, ", which another thread entered", PC);
}

/*
 * All words are read before any is waited for: a section that begins later is
 * never older than one that was waited for.
 */
static void grace_period(struct sim_rcu *d, const void *pc)
{
	unsigned long seen[2][NR_THREADS];
	struct sim_rcu *domain[2] = { d, d->implies };
	int nr = d->implies ? 2 : 1;

	if (engine->cur < 0)
		return;
	/* what came before is seen; the order with sections: see grace.h */
	hook_fence(pc);
	for (int i = 0; i < nr; i++)
		for (int t = 0; t < engine_threads(); t++)
			seen[i][t] = hook_read((uintptr_t)&domain[i]->reader[t],
					       8, OP_RCU_SNAPSHOT, pc);
	for (int i = 0; i < nr; i++)
		for (int t = 0; t < engine_threads(); t++) {
			struct hook_op wait = { .op = OP_RCU_WAIT,
						.rmw = RMW_NONE,
						.mask = seen[i][t],
						.await = true };

			if (seen[i][t])
				hook_rmw((uintptr_t)&domain[i]->reader[t], 8,
					 &wait, pc);
		}
	hook_grace_end(pc);
}

void sim_rcu_sync(struct sim_rcu *d)
{
	ledger_may_sleep(OP_RCU_SNAPSHOT, NULL, PC);
	grace_period(d, PC);
}

/* The kernel finds the function there: the object must still exist. */
static void use_head(void *head, const void *pc)
{
	hook_read((uintptr_t)head, 8, OP_READ | HOOK_PLAIN, pc);
}

static void rcu_thread(void *arg)
{
	struct deferred *d = arg;

	grace_period(d->extra, PC);
	cpu_softirq(true);
	use_head(d->object, PC);
	d->func(d->object);
	cpu_softirq(false);
}

void sim_rcu_call(struct sim_rcu *d, struct callback_head *head,
		  void (*func)(struct callback_head *head))
{
	if (engine->cur < 0) {
		func(head);
		return;
	}
	hook_defer("rcu", rcu_thread, head, d, (void (*)(void *))func, false,
		   PC);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcu.c - RCU, tasks-trace RCU and SRCU over the world's domains.
 *
 * Stands for kernel/rcu/. The world knows sections and grace periods; here are
 * nesting, names, and freeing after a grace period. Nothing is left of how
 * grace periods are found.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/srcu.h>

static struct sim_rcu rcu_domain = { .name = "rcu", .kind = SIM_RCU };
/*
 * As the kernel is built, a tasks-trace grace period is one of RCU, too. Nobody
 * may rely on it, and something may all the same: with 0 it shows.
 */
#ifndef SIM_TRACE_IMPLIES_RCU
#define SIM_TRACE_IMPLIES_RCU 1
#endif
static struct sim_rcu trace_domain = {
	.name = "rcu_tasks_trace",
	.kind = SIM_RCU_TASKS_TRACE,
	.implies = SIM_TRACE_IMPLIES_RCU ? &rcu_domain : NULL,
};

/* Softirq and set-up have no task; there, sections nest per thread. */
static struct sim_section no_task[SIM_MAX_THREADS][SIM_NR_NESTS];

static struct sim_section *section(enum sim_nest nest)
{
	struct task_struct *task = current;

	return task ? &task->sim_nests[nest] : &no_task[sim_thread()][nest];
}

static void section_enter(enum sim_nest nest, struct sim_rcu *domain)
{
	struct sim_section *s = section(nest);

	if (s->depth++ == 0)
		s->token = sim_rcu_lock(domain);
}

static void section_leave(enum sim_nest nest, struct sim_rcu *domain)
{
	struct sim_section *s = section(nest);

	if (!s->depth)
		sim_rcu_unlock(domain, SIM_RCU_NONE);
	else if (--s->depth == 0)
		sim_rcu_unlock(domain, s->token);
}

void rcu_read_lock(void)
{
	section_enter(SIM_NEST_RCU, &rcu_domain);
}

void rcu_read_unlock(void)
{
	section_leave(SIM_NEST_RCU, &rcu_domain);
}

#ifdef SIM_EXPLORE
/* One flavour since 5.0: whoever cannot be preempted is a reader. */
void sim_preempt(int n)
{
	if (n > 0)
		rcu_read_lock();
	sim_preempt_add(n);
	if (n < 0)
		rcu_read_unlock();
}
#endif

int rcu_read_lock_held(void)
{
	return section(SIM_NEST_RCU)->depth > 0;
}

void call_rcu(struct rcu_head *head, rcu_callback_t func)
{
	sim_rcu_call(&rcu_domain, head, func);
}

void synchronize_rcu(void)
{
	sim_rcu_sync(&rcu_domain);
}

void rcu_read_lock_trace(void)
{
	section_enter(SIM_NEST_TRACE, &trace_domain);
}

void rcu_read_unlock_trace(void)
{
	section_leave(SIM_NEST_TRACE, &trace_domain);
}

int rcu_read_lock_trace_held(void)
{
	return section(SIM_NEST_TRACE)->depth > 0;
}

void call_rcu_tasks_trace(struct rcu_head *head, rcu_callback_t func)
{
	sim_rcu_call(&trace_domain, head, func);
}

void synchronize_rcu_tasks_trace(void)
{
	sim_rcu_sync(&trace_domain);
}

int __srcu_read_lock(struct srcu_struct *ssp)
{
	return sim_rcu_lock(&ssp->sim);
}

void __srcu_read_unlock(struct srcu_struct *ssp, int idx)
{
	sim_rcu_unlock(&ssp->sim, idx);
}

void call_srcu(struct srcu_struct *ssp, struct rcu_head *head,
	       rcu_callback_t func)
{
	sim_rcu_call(&ssp->sim, head, func);
}

void synchronize_srcu(struct srcu_struct *ssp)
{
	sim_rcu_sync(&ssp->sim);
}

/*
 * One callback per offset of the head in its object, in words. The kernel hides
 * the offset in the function pointer instead, which the world would have to
 * know. Two octal digits number the 64 of them.
 */
#define FOUR_OF(X, n, a, b, c, d) X(n##a) X(n##b) X(n##c) X(n##d)
#define EIGHT(X, n) FOUR_OF(X, n, 0, 1, 2, 3) FOUR_OF(X, n, 4, 5, 6, 7)
#define HALF(X, a, b, c, d) EIGHT(X, a) EIGHT(X, b) EIGHT(X, c) EIGHT(X, d)
#define ALL(X) HALF(X, 00, 01, 02, 03) HALF(X, 04, 05, 06, 07)

#define KFREE_AT(word)                                     \
	static void kfree_at_##word(struct rcu_head *head) \
	{                                                  \
		kfree((unsigned long *)head - (word));     \
	}
ALL(KFREE_AT)

rcu_callback_t sim_kfree_rcu_func(unsigned long offset)
{
#define NAME(word) kfree_at_##word,
	static const rcu_callback_t at[] = { ALL(NAME) };
#undef NAME

	BUILD_BUG_ON(ARRAY_SIZE(at) * sizeof(long) != SIM_KFREE_RCU_MAX);
	return at[offset / sizeof(long)];
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_ri.c - leases, the timer that ends them, and the pool.
 */
#include <linux/timer.h>
#include "fixture.h"

/* The timer trades the lease for a reference; the return gives it back. */
void case_ri_expire(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	BUG_ON(innermost()->hprobe.state != HPROBE_LEASED);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	BUG_ON(!timer_pending(&current->utask->ri_timer));

	settle();
	BUG_ON(innermost()->hprobe.state != HPROBE_STABLE);
	BUG_ON(refcount_read(&c.uprobe->ref) != 2);
	/* One walk, which is announced if that matters. */
	BUG_ON(current->utask->ri_seqcount.sequence !=
	       (design("pool") ? 2 : 0));
	uprobe_unregister_sync(); /* hangs if the lease is still open */

	BUG_ON(user_return() != CALLER || c.returns != 1);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	del(&c);
}

/* The timer comes when the last reference is gone: GONE, and no handler. */
void case_ri_expire_gone(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	uprobe_unregister_nosync(c.uprobe, &c.uc);
	settle();
	BUG_ON(innermost()->hprobe.state != HPROBE_GONE);
	BUG_ON(!no_uprobe_events());
	BUG_ON(user_return() != CALLER || c.returns);
}

/* Used again at once, unless the timer is at it. */
void case_ri_pool(void)
{
	struct return_instance *first;
	struct uprobe_task *utask;
	struct counter c = {};

	BUG_ON(sim_variant_set("storage=pool"));
	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	first = innermost();
	utask = current->utask;
	user_return();
	BUG_ON(utask->ri_pool != first);
	user_call(USER_TEXT + F, CALLER);
	BUG_ON(innermost() != first || utask->ri_pool);

	/* The timer walks: not into the pool. */
	utask->ri_seqcount.sequence++;
	BUG_ON(user_return() != CALLER);
	BUG_ON(utask->ri_pool);
	utask->ri_seqcount.sequence++;

	user_call(USER_TEXT + F, CALLER);
	BUG_ON(user_return() != CALLER || c.returns != 3);
}

/* Never used again: freed, once nobody can be at it. */
void case_ri_kmalloc(void)
{
	struct counter c[3] = {};
	struct uprobe_task *utask;
	int objects, i;

	BUG_ON(sim_variant_set("storage=kmalloc"));
	fixture();
	for (i = 0; i < 3; i++)
		add(&c[i], F, ENTRY | RETURN);
	user_call(USER_TEXT + F, CALLER);
	user_return();
	settle();
	utask = current->utask;
	objects = world_objects();

	user_call(USER_TEXT + F, CALLER);
	BUG_ON(innermost()->cons_cnt != 3);
	/* One piece of memory, with the consumers behind the instance. */
	BUG_ON(world_objects() != objects + 1);
	BUG_ON((void *)innermost()->extra_consumers !=
	       (void *)(innermost() + 1));
	BUG_ON(user_return() != CALLER || utask->ri_pool);
	BUG_ON(world_objects() != objects + 1);
	settle();
	BUG_ON(world_objects() != objects);
}

/* Of what the timer has made stable, exit gives the references back. */
void case_ri_stable_exit(void)
{
	struct counter f = {}, g = {};

	fixture();
	add(&f, F, RETURN);
	add(&g, G, RETURN);
	user_call(USER_TEXT + F, CALLER);
	user_hit(USER_TEXT + G);
	user_call(USER_TEXT + F, CALLER);
	settle();
	BUG_ON(refcount_read(&f.uprobe->ref) != 3);
	BUG_ON(refcount_read(&g.uprobe->ref) != 2);
	user_exit();
	BUG_ON(refcount_read(&f.uprobe->ref) != 1);
	BUG_ON(refcount_read(&g.uprobe->ref) != 1);
	BUG_ON(f.returns || g.returns);
}

/* A task exits inside of calls: leases, references and memory are given up. */
void case_ri_exit_leased(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);
	settle();
	user_call(USER_TEXT + F, CALLER);
	user_exit();
	BUG_ON(current->utask);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
	del(&c); /* hangs if a lease was lost */
	settle();
	BUG_ON(!no_uprobe_events());
}

/*
 * Unregistering waits for a lease, for as long as the timer takes. The call
 * goes on undisturbed, and its return is not reported.
 */
void case_ri_unregister(void)
{
	struct counter c = {};

	fixture();
	add(&c, F, RETURN);
	user_call(USER_TEXT + F, CALLER);

	user_begin(task[1]);
	uprobe_unregister_nosync(c.uprobe, &c.uc);
	BUG_ON(breakpoint_at(F));
	BUG_ON(task[0]->utask->return_instances->hprobe.state != HPROBE_LEASED);
	uprobe_unregister_sync(); /* the timer fires meanwhile */

	user_begin(task[0]);
	BUG_ON(innermost()->hprobe.state != HPROBE_GONE);
	BUG_ON(user_return() != CALLER || c.returns);
}

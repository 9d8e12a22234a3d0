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
	BUG_ON(current->utask->ri_seqcount.sequence != 2);
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

void case_ri_pool(void)
{
	struct return_instance *first;
	struct uprobe_task *utask;
	struct counter c = {};

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

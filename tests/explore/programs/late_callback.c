// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object is freed whose callback (-DWORK: work item) is still to come, although
 * that does not look at the object. FIXED: it is freed there.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <trapline/scenario.h>

struct thing {
	long data;
	struct rcu_head rcu;
	struct work_struct work;
};

static int called;

static void on_rcu(struct rcu_head *head)
{
	WRITE_ONCE(called, 1);
#ifdef FIXED
	kfree(container_of(head, struct thing, rcu));
#endif
}

static void on_work(struct work_struct *work)
{
	WRITE_ONCE(called, 1);
#ifdef FIXED
	kfree(container_of(work, struct thing, work));
#endif
}

SCENARIO_THREAD(owner)
{
	struct thing *thing = kzalloc_obj(struct thing);

#ifdef WORK
	INIT_WORK(&thing->work, on_work);
	schedule_work(&thing->work);
#else
	call_rcu(&thing->rcu, on_rcu);
#endif
#ifndef FIXED
	kfree(thing);
#endif
}

SCENARIO_THREAD(bystander)
{
	rcu_read_lock();
	READ_ONCE(called);
	rcu_read_unlock();
	(void)on_rcu;
	(void)on_work;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_defer.c - timers, work, RCU, and locks that a scope holds.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/task_work.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <sim/entry.h>
#include "fixture.h"

struct clock {
	struct timer_list timer;
	int fired, rearm;
};

static void tick(struct timer_list *timer)
{
	struct clock *clock = timer_container_of(clock, timer, timer);

	clock->fired++;
	if (clock->rearm-- > 0)
		mod_timer(timer, jiffies + 10);
}

void case_timer_states(void)
{
	struct clock clock = { .fired = 0 };

	timer_setup(&clock.timer, tick, 0);
	BUG_ON(timer_pending(&clock.timer));
	BUG_ON(timer_delete_sync(&clock.timer));
	BUG_ON(mod_timer(&clock.timer, jiffies + 10));
	BUG_ON(!timer_pending(&clock.timer));
	BUG_ON(!mod_timer(&clock.timer, jiffies + 20));
	world_advance(19);
	BUG_ON(clock.fired);
	world_advance(1);
	BUG_ON(clock.fired != 1 || timer_pending(&clock.timer));

	/* In the past means at once, not in an age. */
	mod_timer(&clock.timer, jiffies - 5);
	world_advance(0);
	BUG_ON(clock.fired != 2);

	mod_timer(&clock.timer, jiffies + 1);
	BUG_ON(!timer_delete_sync(&clock.timer));
	world_advance(100);
	BUG_ON(clock.fired != 2);
}

void case_timer_rearms(void)
{
	struct clock clock = { .rearm = 2 };

	timer_setup(&clock.timer, tick, 0);
	mod_timer(&clock.timer, jiffies + 10);
	world_advance(29);
	BUG_ON(clock.fired != 2);
	world_advance(1);
	BUG_ON(clock.fired != 3 || timer_pending(&clock.timer));
}

static int works;
static bool again;

static void work_func(struct work_struct *work)
{
	works++;
	if (again)
		BUG_ON(!schedule_work(work));
	again = false;
}

void case_work_once(void)
{
	struct work_struct work;

	INIT_WORK(&work, work_func);
	BUG_ON(!schedule_work(&work) || schedule_work(&work));
	world_run_deferred();
	BUG_ON(works != 1);
	again = true;
	BUG_ON(!schedule_work(&work));
	world_run_deferred();
	BUG_ON(works != 3);
}

static struct callback_head head[3];
static int ran[3];

static void task_func(struct callback_head *work)
{
	ran[work - head]++;
	if (work == &head[0] && ran[0] == 1)
		BUG_ON(task_work_add(current, &head[2], TWA_RESUME));
}

void case_task_work_order(void)
{
	struct mm_struct *mm = start_task();
	int i;

	for (i = 0; i < 3; i++)
		init_task_work(&head[i], task_func);
	BUG_ON(task_work_add(current, &head[0], TWA_NONE));
	BUG_ON(test_thread_flag(TIF_NOTIFY_RESUME));
	BUG_ON(task_work_add(current, &head[1], TWA_RESUME));
	BUG_ON(!test_thread_flag(TIF_NOTIFY_RESUME));
	task_work_run();
	BUG_ON(ran[0] != 1 || ran[1] != 1 || ran[2] != 1);
	task_work_run();
	BUG_ON(ran[0] + ran[1] + ran[2] != 3);

	/* An exiting task runs what is there and takes no more. */
	BUG_ON(task_work_add(current, &head[1], TWA_RESUME));
	sim_task_exit(current);
	BUG_ON(ran[1] != 2);
	BUG_ON(task_work_add(current, &head[1], TWA_RESUME) != -ESRCH);
	sim_task_free(current);
	sim_mm_put(mm);
	BUG_ON(world_objects());
}

static int freed;

static void count_freed(struct rcu_head *rcu)
{
	freed++;
}

void case_rcu_nests(void)
{
	struct mm_struct *mm = start_task();
	struct task_struct *task;
	struct rcu_head rcu;

	rcu_read_lock();
	rcu_read_lock();
	rcu_read_unlock();
	BUG_ON(!rcu_read_lock_held() || rcu_read_lock_trace_held());
	call_rcu(&rcu, count_freed);
	world_run_deferred();
	BUG_ON(freed);
	rcu_read_unlock();
	BUG_ON(rcu_read_lock_held());
	world_run_deferred();
	BUG_ON(freed != 1);

	/* The flavours do not wait for each other. */
	rcu_read_lock_trace();
	call_rcu(&rcu, count_freed);
	world_run_deferred();
	BUG_ON(freed != 2);
	call_rcu_tasks_trace(&rcu, count_freed);
	world_run_deferred();
	BUG_ON(freed != 2);

	/* Nesting belongs to the task. */
	task = current;
	sim_set_current(NULL);
	BUG_ON(rcu_read_lock_trace_held());
	sim_set_current(task);
	rcu_read_unlock_trace();
	world_run_deferred();
	BUG_ON(freed != 3);
	end_task(mm);
}

struct object {
	long payload[9];
	struct rcu_head rcu;
};

void case_rcu_frees_later(void)
{
	int before = world_objects();
	struct object *object = kzalloc_obj(struct object);
	struct object *published = NULL;

	rcu_assign_pointer(published, object);
	BUG_ON(rcu_dereference(published) != object);
	rcu_read_lock();
	rcu_assign_pointer(published, NULL);
	kfree_rcu(object, rcu);
	world_run_deferred();
	BUG_ON(world_objects() != before + 1);
	rcu_read_unlock();
	world_run_deferred();
	BUG_ON(published || world_objects() != before);
}

DEFINE_STATIC_SRCU(domain);

/* A lease: the timer leaves the section that the task entered. */
static int lease;

static void end_lease(struct timer_list *timer)
{
	__srcu_read_unlock(&domain, lease);
}

void case_srcu_token_moves(void)
{
	struct srcu_ctr *fast;
	struct timer_list timer;
	struct rcu_head rcu;

	timer_setup(&timer, end_lease, 0);
	lease = __srcu_read_lock(&domain);
	mod_timer(&timer, jiffies + 100);
	call_srcu(&domain, &rcu, count_freed);
	world_run_deferred();
	BUG_ON(freed);
	synchronize_srcu(&domain);
	BUG_ON(timer_pending(&timer));
	world_run_deferred();
	BUG_ON(freed != 1);

	fast = srcu_down_read_fast(&domain);
	BUG_ON(!fast);
	srcu_up_read_fast(&domain, fast);
	synchronize_srcu(&domain);
}

void case_guard_scope(void)
{
	static DEFINE_MUTEX(mutex);
	static DECLARE_RWSEM(sem);
	static DEFINE_SPINLOCK(spin);
	int held = 0;

	{
		guard(mutex)(&mutex);
		guard(rwsem_read)(&sem);
		guard(rcu)();
		guard(srcu)(&domain);
		BUG_ON(mutex_trylock(&mutex) || down_write_trylock(&sem));
		BUG_ON(!down_read_trylock(&sem) || !rcu_read_lock_held());
		up_read(&sem);
	}
	scoped_guard(spinlock, &spin)
	{
		held++;
		BUG_ON(spin_trylock(&spin));
	}
	BUG_ON(held != 1 || rcu_read_lock_held());
	BUG_ON(!mutex_trylock(&mutex) || !down_write_trylock(&sem));
	BUG_ON(!spin_trylock(&spin));
	synchronize_srcu(&domain);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work items, and waiting for them; W is a write to x, in the work's function.
 *
 *	(none)	queued, then cancelled: never W; or W, and the canceller has found the
 *		item queued, its worker just started, or already over by then; or not
 *		queued any more: 4
 *	FLUSH	queued, then flushed, and found to be queued, running or over: 3
 *	AGAIN	queued twice: the second time in vain if the work has not begun by then,
 *		else it runs twice, one after the other: 2
 *	FREE	cancelled, then freed: nobody touches it any more
 *	FREE EARLY	cancelled, but not waited for: the function may still run
 *	FREE INSIDE	freed by its own function
 *	FREE DONE	freed by who was told by its function, which may not be over: fine
 *	ITSELF	the function waits for itself
 *	LOCKED	who waits for it holds a lock that it takes
 *	ATOMIC	who waits for it may not sleep
 */
#include <linux/bug.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <trapline/scenario.h>

struct thing {
	struct work_struct work;
	int x;
	int told;
};

static struct thing *thing;
static int runs, running;
static DEFINE_MUTEX(mutex);
static DEFINE_SPINLOCK(spin);

static void func(struct work_struct *work)
{
	struct thing *t = container_of(work, struct thing, work);

#ifdef ITSELF
	flush_work(work);
#elif defined(LOCKED)
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
#elif defined(INSIDE)
	kfree(t);
#elif defined(DONE)
	smp_store_release(&t->told, 1);
#elif defined(AGAIN)
	BUG_ON(READ_ONCE(running));
	WRITE_ONCE(running, 1);
	runs++;
	WRITE_ONCE(running, 0);
#else
	WRITE_ONCE(t->x, 1);
#endif
}

SCENARIO_SETUP()
{
	thing = kzalloc_obj(struct thing);
	INIT_WORK(&thing->work, func);
}

SCENARIO_THREAD(owner)
{
	struct work_struct *work = &thing->work;

	BUG_ON(!schedule_work(work));
#if defined(FREE) && defined(EARLY)
	cancel_work(work);
	kfree(thing);
#elif defined(FREE) && defined(DONE)
	while (!smp_load_acquire(&thing->told))
		cpu_relax();
	kfree(thing);
#elif defined(FREE) && !defined(INSIDE)
	cancel_work_sync(work);
	kfree(thing);
#elif defined(LOCKED)
	mutex_lock(&mutex);
	flush_work(work);
	mutex_unlock(&mutex);
#elif defined(ATOMIC)
	spin_lock(&spin);
	cancel_work_sync(work);
	spin_unlock(&spin);
#elif defined(FLUSH)
	flush_work(work);
	BUG_ON(READ_ONCE(thing->x) != 1);
#elif defined(AGAIN)
	queue_work(system_wq, work);
#elif !defined(INSIDE)
	bool queued = cancel_work_sync(work);

	BUG_ON(READ_ONCE(thing->x) == queued);
	BUG_ON(work_pending(work));
#endif
}

SCENARIO_CHECK()
{
#ifdef AGAIN
	BUG_ON(runs < 1 || runs > 2);
#endif
#if !defined(FREE)
	kfree(thing);
#endif
	thing = NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * work.c - work items: each time one is queued is an instance, which a worker runs.
 *
 * Mirrors the entry points of kernel/workqueue.c; workers are the world's. The item
 * says only whether an instance is queued; what has become of an instance is said
 * elsewhere, since the function may free the item, and so may others once it runs.
 * An instance begins when the one before has ended: an item never runs twice at once.
 */
#include <linux/kernel.h>
#include <linux/workqueue.h>

#ifdef SIM_EXPLORE

/* By its worker's number, which is one more than its index here. */
static struct instance {
	unsigned long state;
	unsigned long before; /* its predecessor's number, or 0 */
} instance[SIM_MAX_THREADS];

#define STARTED 1ul
#define CANCELLED 2ul
#define OVER 4ul

static struct instance *get(unsigned long number)
{
	return &instance[number - 1];
}

static void wait_for(unsigned long number)
{
	if (number)
		sim_wait_mask(&get(number)->state, OVER, OVER, SIM_ACQUIRE);
}

/* Called by the one who has set the pending bit. */
static void announce(struct work_struct *work)
{
	unsigned long number = sim_work_number() + 1ul;
	unsigned long last = READ_ONCE(work->sim_last);

	/* what is never written costs the worker nothing to read */
	if (last)
		get(number)->before = last;
	WRITE_ONCE(work->sim_last, number);
}

/* The running worker's. False: it has been cancelled. */
static bool begin(void)
{
	struct instance *me = get(sim_thread() + 1ul);

	wait_for(me->before);
	return !(sim_fetch_or(&me->state, STARTED, SIM_ACQUIRE) & CANCELLED);
}

static void end(void)
{
	sim_fetch_or(&get(sim_thread() + 1ul)->state, OVER, SIM_RELEASE);
}

/*
 * Take the pending bit, so that nobody else can queue it. True: it was queued, and
 * that instance will not run.
 */
static bool grab(struct work_struct *work)
{
	unsigned long number;

	if (!test_and_set_bit(WORK_STRUCT_PENDING_BIT, &work->data))
		return false;
	number = READ_ONCE(work->sim_last);
	if (number && !sim_cmpxchg(&get(number)->state, 0ul, CANCELLED | OVER,
				   SIM_FULL)) {
		WRITE_ONCE(work->sim_last, get(number)->before);
		return true;
	}
	/* it starts right now, or somebody else has the bit */
	do
		sim_wait_mask(&work->data, BIT(WORK_STRUCT_PENDING_BIT), 0ul,
			      SIM_RELAXED);
	while (test_and_set_bit(WORK_STRUCT_PENDING_BIT, &work->data));
	return false;
}

bool cancel_work(struct work_struct *work)
{
	bool queued = grab(work);

	clear_bit_unlock(WORK_STRUCT_PENDING_BIT, &work->data);
	return queued;
}

bool cancel_work_sync(struct work_struct *work)
{
	bool queued;

	might_sleep();
	queued = grab(work);
	wait_for(READ_ONCE(work->sim_last));
	clear_bit_unlock(WORK_STRUCT_PENDING_BIT, &work->data);
	return queued;
}

bool flush_work(struct work_struct *work)
{
	unsigned long number = READ_ONCE(work->sim_last);

	might_sleep();
	if (!number || smp_load_acquire(&get(number)->state) & OVER)
		return false;
	wait_for(number);
	return true;
}

#else /* the world's worker runs one after the other, and nobody cancels */

static void announce(struct work_struct *work)
{
}

static bool begin(void)
{
	return true;
}

static void end(void)
{
}

#endif

static void run_work(struct work_struct *work)
{
	if (!begin())
		return;
	/* Before the function: it may free the work, or queue it again. */
	clear_bit(WORK_STRUCT_PENDING_BIT, &work->data);
	smp_mb__after_atomic();
	work->func(work);
	end();
}

bool schedule_work(struct work_struct *work)
{
	if (test_and_set_bit(WORK_STRUCT_PENDING_BIT, &work->data))
		return false;
	announce(work);
	sim_work_queue(work, run_work);
	return true;
}

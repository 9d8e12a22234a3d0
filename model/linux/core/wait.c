// SPDX-License-Identifier: GPL-2.0-only
/*
 * wait.c - wait queues and completions.
 *
 * Mirrors kernel/sched/wait.c and completion.c. What must not be reordered:
 * a waiter queues itself, then sets its state with a full barrier, then looks
 * at the condition; a waker changes the condition, then takes the lock (or
 * orders waitqueue_active by a barrier), then changes the state. So one of the
 * two sees the other. Left out: exclusive waits, bookmarks, poll.
 */
#include <linux/completion.h>
#include <linux/wait.h>

void init_waitqueue_head(struct wait_queue_head *wq_head)
{
	spin_lock_init(&wq_head->lock);
	INIT_LIST_HEAD(&wq_head->head);
}

void add_wait_queue(struct wait_queue_head *wq_head,
		    struct wait_queue_entry *entry)
{
	unsigned long flags;

	spin_lock_irqsave(&wq_head->lock, flags);
	list_add(&entry->entry, &wq_head->head);
	spin_unlock_irqrestore(&wq_head->lock, flags);
}

void remove_wait_queue(struct wait_queue_head *wq_head,
		       struct wait_queue_entry *entry)
{
	unsigned long flags;

	spin_lock_irqsave(&wq_head->lock, flags);
	list_del(&entry->entry);
	spin_unlock_irqrestore(&wq_head->lock, flags);
}

void prepare_to_wait(struct wait_queue_head *wq_head,
		     struct wait_queue_entry *entry, int state)
{
	unsigned long flags;

	spin_lock_irqsave(&wq_head->lock, flags);
	if (list_empty(&entry->entry))
		list_add(&entry->entry, &wq_head->head);
	set_current_state(state);
	spin_unlock_irqrestore(&wq_head->lock, flags);
}

void finish_wait(struct wait_queue_head *wq_head,
		 struct wait_queue_entry *entry)
{
	unsigned long flags;

	__set_current_state(TASK_RUNNING);
	/*
	 * A waker that has taken us off is done with the entry: its careful
	 * store is its last. So the lock is needed only while we are still on.
	 */
	if (list_empty_careful(&entry->entry))
		return;
	spin_lock_irqsave(&wq_head->lock, flags);
	list_del_init(&entry->entry);
	spin_unlock_irqrestore(&wq_head->lock, flags);
}

int default_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			  int flags, void *key)
{
	return wake_up_state(entry->private, mode);
}

int autoremove_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			     int flags, void *key)
{
	int woken = default_wake_function(entry, mode, flags, key);

	if (woken)
		list_del_init_careful(&entry->entry);
	return woken;
}

static void wake_locked(struct wait_queue_head *wq_head, unsigned int mode,
			void *key)
{
	struct wait_queue_entry *entry, *next;

	list_for_each_entry_safe(entry, next, &wq_head->head, entry)
		entry->func(entry, mode, 0, key);
}

void __wake_up(struct wait_queue_head *wq_head, unsigned int mode, void *key)
{
	unsigned long flags;

	spin_lock_irqsave(&wq_head->lock, flags);
	wake_locked(wq_head, mode, key);
	spin_unlock_irqrestore(&wq_head->lock, flags);
}

void init_completion(struct completion *x)
{
	x->done = 0;
	init_waitqueue_head(&x->wait);
}

static void complete_some(struct completion *x, unsigned int more)
{
	unsigned long flags;

	spin_lock_irqsave(&x->wait.lock, flags);
	/* UINT_MAX is "for ever" and stays. */
	if (x->done <= UINT_MAX - more)
		x->done += more;
	else
		x->done = UINT_MAX;
	wake_locked(&x->wait, TASK_NORMAL, NULL);
	spin_unlock_irqrestore(&x->wait.lock, flags);
}

void complete(struct completion *x)
{
	complete_some(x, 1);
}

void complete_all(struct completion *x)
{
	complete_some(x, UINT_MAX);
}

/* Take one "done" if there is one. */
static bool completion_take(struct completion *x)
{
	unsigned long flags;
	bool done;

	spin_lock_irqsave(&x->wait.lock, flags);
	done = x->done > 0;
	if (done && x->done != UINT_MAX)
		x->done--;
	spin_unlock_irqrestore(&x->wait.lock, flags);
	return done;
}

void wait_for_completion(struct completion *x)
{
	wait_event(x->wait, completion_take(x));
}

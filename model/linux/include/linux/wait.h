/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/wait.h - wait queues.
 *
 * 	function			order	sleeps	scheduling point
 * 	prepare_to_wait			full	no	yes
 * 	finish_wait			none	no	yes
 * 	wait_event*			-	yes	yes
 * 	waitqueue_active		none	no	yes: a marked load
 * 	wake_up, wake_up_all		full if it wakes	no	yes
 * Context: waiting: task, no spin lock held. Waking: any; takes wq_head->lock.
 * waitqueue_active without that lock needs a full barrier between the store of
 * the condition and itself; prepare_to_wait is its partner. Leaves out timeouts,
 * exclusive waits and poll.
 */
#ifndef LINUX_WAIT_H
#define LINUX_WAIT_H

#include <linux/errno.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

struct wait_queue_entry;
typedef int (*wait_queue_func_t)(struct wait_queue_entry *entry,
				 unsigned int mode, int flags, void *key);

typedef struct wait_queue_head {
	spinlock_t lock;
	struct list_head head;
} wait_queue_head_t;

typedef struct wait_queue_entry {
	unsigned int flags;
	void *private; /* the task */
	wait_queue_func_t func;
	struct list_head entry;
} wait_queue_entry_t;

#define __WAIT_QUEUE_HEAD_INITIALIZER(name)         \
	{                                           \
		.head = LIST_HEAD_INIT((name).head) \
	}
#define DECLARE_WAIT_QUEUE_HEAD(name) \
	struct wait_queue_head name = __WAIT_QUEUE_HEAD_INITIALIZER(name)

#define DEFINE_WAIT_FUNC(name, function)               \
	struct wait_queue_entry name = {               \
		.private = current,                    \
		.func = (function),                    \
		.entry = LIST_HEAD_INIT((name).entry), \
	}
#define DEFINE_WAIT(name) DEFINE_WAIT_FUNC(name, autoremove_wake_function)

void init_waitqueue_head(struct wait_queue_head *wq_head);
void add_wait_queue(struct wait_queue_head *wq_head,
		    struct wait_queue_entry *entry);
void remove_wait_queue(struct wait_queue_head *wq_head,
		       struct wait_queue_entry *entry);
void prepare_to_wait(struct wait_queue_head *wq_head,
		     struct wait_queue_entry *entry, int state);
void finish_wait(struct wait_queue_head *wq_head,
		 struct wait_queue_entry *entry);
int default_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			  int flags, void *key);
int autoremove_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			     int flags, void *key);
void __wake_up(struct wait_queue_head *wq_head, unsigned int mode, void *key);

static inline int waitqueue_active(struct wait_queue_head *wq_head)
{
	return !list_empty(&wq_head->head);
}

/* Without exclusive waiters, one is all. */
#define wake_up(wq_head) __wake_up(wq_head, TASK_NORMAL, NULL)
#define wake_up_all(wq_head) __wake_up(wq_head, TASK_NORMAL, NULL)
#define wake_up_interruptible(wq_head) \
	__wake_up(wq_head, TASK_INTERRUPTIBLE, NULL)

/* Evaluates to 0, or to -ERESTARTSYS if a signal ended the wait. */
#define sim_wait_event(wq_head, condition, state)                       \
	({                                                              \
		int sim_ret = 0;                                        \
		DEFINE_WAIT(sim_entry);                                 \
		for (;;) {                                              \
			prepare_to_wait(&(wq_head), &sim_entry, state); \
			if (condition)                                  \
				break;                                  \
			if (signal_pending_state(state, current)) {     \
				sim_ret = -ERESTARTSYS;                 \
				break;                                  \
			}                                               \
			schedule();                                     \
		}                                                       \
		finish_wait(&(wq_head), &sim_entry);                    \
		sim_ret;                                                \
	})

#define wait_event(wq_head, condition)                      \
	do {                                                \
		if (condition)                              \
			break;                              \
		(void)sim_wait_event(wq_head, condition,    \
				     TASK_UNINTERRUPTIBLE); \
	} while (0)
#define wait_event_interruptible(wq_head, condition) \
	((condition) ? 0                             \
		     : sim_wait_event(wq_head, condition, TASK_INTERRUPTIBLE))
#define wait_event_killable(wq_head, condition) \
	((condition) ? 0 : sim_wait_event(wq_head, condition, TASK_KILLABLE))

#endif /* LINUX_WAIT_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread is in a function that is followed, the probe is unregistered, the thread
 * forks. Parent and child return to the caller; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/rcupdate_trace.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define CALLER (USER_TEXT + 1)

static struct task_struct *task, *child;
static struct uprobe *probe;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(USER_TEXT, CALLER);
	uprobe_unregister_nosync(probe, &consumer);
	/* Keeps traces/races/fork-reader out, which is another story. */
	rcu_read_lock_trace();
	child = user_fork(CLONE_VM | CLONE_VFORK, 2);
	rcu_read_unlock_trace();
	BUG_ON(!child);
	user_begin(child);
	BUG_ON(user_return() != CALLER);
	user_exit();
	user_begin(task);
	BUG_ON(user_return() != CALLER);
}

SCENARIO_CHECK()
{
	BUG_ON(user_log(child)->killed);
	BUG_ON(!no_uprobe_events());
}

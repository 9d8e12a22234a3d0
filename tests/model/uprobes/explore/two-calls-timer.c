// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two calls, one inside the other, and the timer at any moment, twice. Every
 * reference and lease is given back exactly once, every return is reported.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/refcount.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static struct uprobe *probe;
static int returns;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	returns++;
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
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	user_call(F, CALLER + 1);
	BUG_ON(user_return() != CALLER + 1);
	BUG_ON(user_return() != CALLER);
	user_exit(); /* waits for the timer */
}

SCENARIO_CHECK()
{
	BUG_ON(returns != 2);
	BUG_ON(refcount_read(&probe->ref) != 1);
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync(); /* never ends if a lease was lost */
}

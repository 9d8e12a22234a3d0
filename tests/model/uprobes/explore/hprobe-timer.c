// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call with a lease, the timer that ends it, the return and an unregistration,
 * in every order. The function returns to its caller in any case; the return
 * handler runs at most once and never after uprobe_unregister_sync. The
 * unregistration begins when the lease is taken: for what happens before, see
 * traces/races/free-order.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

static struct task_struct *task, *other;
static struct uprobe *probe;
static struct completion called;
static bool over;
static int returns;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	BUG_ON(READ_ONCE(over));
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
	init_completion(&called);
	task = user_task(mm, 1);
	other = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	complete(&called);
	BUG_ON(user_return() != CALLER);
}

SCENARIO_THREAD(unregister)
{
	user_begin(other);
	wait_for_completion(&called);
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync();
	WRITE_ONCE(over, true);
}

SCENARIO_CHECK()
{
	BUG_ON(returns > 1 || task->utask->depth);
	BUG_ON(!no_uprobe_events()); /* every reference is given back */
}

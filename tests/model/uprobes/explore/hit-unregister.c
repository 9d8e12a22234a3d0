// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a stepped probe while it is unregistered. Whatever the
 * order, the instruction is executed once and no signal is sent: not when the
 * breakpoint goes after the trap, not when the uprobe does.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct uprobe *probe;
static struct mm_struct *mm;
static bool over;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	BUG_ON(READ_ONCE(over));
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct inode *file = user_file(text, sizeof(text));

	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task)->ax != 1);
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync();
	WRITE_ONCE(over, true);
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_INC);
	BUG_ON(!no_uprobe_events());
}

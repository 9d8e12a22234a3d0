// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call runs in a slot, and the return address that it pushed cannot be put right. The
 * program does not go on with the wrong one; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/signal.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_CALL };
	struct inode *file = user_file(text, sizeof(text));

	mm = user_mm(file);
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

/* Another thread unmaps the stack, perhaps. */
static void unmap_stack(void)
{
	if (trapline_choose(2))
		user_tear_store(mm);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_in_slot(unmap_stack);
	if (user_hit(USER_TEXT))
		BUG_ON(user_return() != USER_TEXT + 1);
	else
		BUG_ON(user_log(task)->killed != SIGILL);
}

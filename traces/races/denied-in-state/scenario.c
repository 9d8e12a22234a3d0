// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal is sent to a thread that runs into a stepped probe. It has been delivered in
 * the end, or the thread will look for it; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task)->ax != 1);
}

SCENARIO_THREAD(sender)
{
	user_signal(task, false);
}

SCENARIO_CHECK()
{
	BUG_ON(!user_log(task)->signals &&
	       !test_tsk_thread_flag(task, TIF_SIGPENDING));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A copied instruction faults in its slot, and another signal may arrive at any moment.
 * Whatever is delivered, the program sees no address in the slot; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/signal.h>
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
	user_fault(SIGSEGV);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task)->ax != 1);
	BUG_ON(!user_log(task)->signals);
	BUG_ON(user_log(task)->signal_ip != USER_TEXT &&
	       user_log(task)->signal_ip != USER_TEXT + 1);
}

SCENARIO_THREAD(sender)
{
	user_signal(task, false);
}

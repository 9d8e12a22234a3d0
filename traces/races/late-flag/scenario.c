// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process gets its first probe while a thread runs through the place. It notices
 * nothing; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct mm_struct *mm;

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task)->ax != 1);
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler sends the thread elsewhere, to skip the probed instruction. It is skipped;
 * see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/ptrace.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define ELSEWHERE (USER_TEXT + 8)

static struct task_struct *task;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	instruction_pointer_set(regs, ELSEWHERE);
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
	BUG_ON(user_log(task)->ax != 0);
}

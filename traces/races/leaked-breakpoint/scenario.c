// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe is unregistered while text cannot be written for a moment, and a thread
 * runs through the place. The program goes on in any case; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct uprobe *probe;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));

	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	user_lock_text(mm, true);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe, &consumer);
}

SCENARIO_THREAD(memory)
{
	user_lock_text(mm, false); /* there is some again */
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a probe whose consumer is unregistered and then freed by its
 * owner; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct uprobe *probe;
static struct uprobe_consumer *consumer;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	consumer = kzalloc_obj(struct uprobe_consumer);
	BUG_ON(!consumer);
	consumer->handler = on_hit;
	probe = uprobe_register(file, 0, 0, consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe, consumer);
	uprobe_unregister_sync();
	kfree(consumer);
}

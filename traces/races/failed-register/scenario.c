// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes map a file. A probe gets into the first and not into the second, so its
 * registration fails, and its owner frees the consumer; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct mm_struct *full;

	file = user_file(text, sizeof(text));
	full = user_mm(file);
	mm = user_mm(file);
	user_lock_text(full, true);
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(tracer)
{
	struct uprobe_consumer *consumer = kzalloc_obj(struct uprobe_consumer);

	consumer->handler = on_hit;
	BUG_ON(!IS_ERR(uprobe_register(file, 0, 0, consumer)));
	kfree(consumer);
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_NOP);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a probe while its only consumer is replaced by another's. In
 * the end the breakpoint is in, whoever the hit belonged to; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct uprobe *probe;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer before = { .handler = on_hit };
static struct uprobe_consumer after = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &before);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(replace)
{
	uprobe_unregister_nosync(probe, &before);
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &after)));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_BP);
}

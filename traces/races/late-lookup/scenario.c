// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a probe while another takes its place. No breakpoint is taken
 * for the program's own; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/refcount.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct uprobe *probe;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer before = { .handler = on_hit };
static struct uprobe_consumer after = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct mm_struct *mm;

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
	probe = uprobe_register(file, 0, 0, &after);
	BUG_ON(IS_ERR(probe));
}

SCENARIO_CHECK()
{
	BUG_ON(refcount_read(&probe->ref) != 1);
	BUG_ON(!uprobe_is_active(probe));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process forks while a probe is registered. When both are done, parent and child have
 * the breakpoint; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task, *child;
static struct inode *file;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	task = user_task(user_mm(file), 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	child = user_fork(0, 2);
	BUG_ON(!child);
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(sim_task_mm(task), USER_TEXT) != USER_BP);
	BUG_ON(user_text(sim_task_mm(child), USER_TEXT) != USER_BP);
}

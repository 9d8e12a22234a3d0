// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fork fails half way for lack of memory, while a probe with a reference counter is
 * registered. The registration succeeds; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
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

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	user_map_data(mm, file);
	user_no_copy(mm, USER_DATA);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(user_fork(0, 2));
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, USER_DATA_OFFSET, &consumer)));
	BUG_ON(user_counter(mm, 0) != 1);
}

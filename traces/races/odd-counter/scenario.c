// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe is registered with a reference counter at an odd place while the mapping of
 * the counters appears. It is refused in every order; see story.md.
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
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_map_data(mm, file);
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(!IS_ERR(
		uprobe_register(file, 0, USER_DATA_OFFSET + 1, &consumer)));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_NOP);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe whose counter waits for its mapping is unregistered while the mapping
 * appears: whether it was counted or not, it is not counted in the end.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task, *other;
static struct inode *file;
static struct mm_struct *mm;
static struct uprobe *probe;

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
	other = user_task(mm, 2);
	probe = uprobe_register(file, 0, USER_DATA_OFFSET, &consumer);
	BUG_ON(IS_ERR(probe));
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_map_data(mm, file);
}

SCENARIO_THREAD(tracer)
{
	user_begin(other);
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync();
}

SCENARIO_CHECK()
{
	BUG_ON(user_counter(mm, 0) != 0);
	BUG_ON(user_text(mm, USER_TEXT) != USER_NOP);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe with a reference counter is registered while the mapping that holds
 * the counter appears, in every order: it is counted once.
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
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_map_data(mm, file);
}

SCENARIO_THREAD(tracer)
{
	user_begin(other);
	probe = uprobe_register(file, 0, USER_DATA_OFFSET, &consumer);
	BUG_ON(IS_ERR(probe));
}

SCENARIO_CHECK()
{
	BUG_ON(user_counter(mm, 0) != 1);
	uprobe_unregister_nosync(probe, &consumer);
	BUG_ON(user_counter(mm, 0) != 0);
}

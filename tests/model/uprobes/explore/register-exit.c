// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe is registered and unregistered while one of the two mms that map its place
 * goes away. Whenever that is, the other one has its breakpoint, and nothing of the
 * first is touched once it is gone.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct mm_struct *stays;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct mm_struct *goes;

	file = user_file(text, sizeof(text));
	goes = user_mm(file);
	stays = user_mm(file);
	task = user_task(goes, 1);
	sim_mm_put(goes); /* the task has the last reference */
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_exit();
}

SCENARIO_THREAD(tracer)
{
	struct uprobe *probe = uprobe_register(file, 0, 0, &consumer);

	BUG_ON(IS_ERR(probe));
	BUG_ON(user_text(stays, USER_TEXT) != USER_BP);
	uprobe_unregister_nosync(probe, &consumer);
	BUG_ON(user_text(stays, USER_TEXT) != USER_NOP);
}

SCENARIO_CHECK()
{
	BUG_ON(!no_uprobe_events());
}

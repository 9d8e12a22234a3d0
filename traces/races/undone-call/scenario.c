// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread executes a probed nop while the probe becomes a call, in the form that
 * lowers the stack first, and then a nop again. It has all of what it began, or
 * nothing of it; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task, *other;
static struct uprobe *probe;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP4, 0, 0, 0 };
	struct inode *file = user_file(text, sizeof(text));

	BUG_ON(sim_variant_set("optimize=nop10"));
	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	other = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	unsigned long sp;

	user_begin(task);
	sp = user_sp();
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_sp() != sp);
}

SCENARIO_THREAD(change)
{
	user_begin(other);
	BUG_ON(!user_hit(USER_TEXT));
	uprobe_unregister_nosync(probe, &consumer);
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_NOP4);
	BUG_ON(user_text(mm, USER_TEXT + 1) != 0);
}

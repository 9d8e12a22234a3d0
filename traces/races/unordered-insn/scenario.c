// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a debugger's breakpoint while a probe is registered at the same
 * place. If the trap is taken for the probe's, the instruction is executed; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task, *later;
static struct inode *file;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer there = { .handler = on_hit };
static struct uprobe_consumer new = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC, USER_NOP };
	struct mm_struct *mm;

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	/* So that traps are looked at. */
	BUG_ON(IS_ERR(uprobe_register(file, 1, 0, &there)));
	user_poke(mm, USER_TEXT, USER_BP);
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	later = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	if (user_try(USER_TEXT))
		BUG_ON(user_log(task)->ax != 1);
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &new)));
}

SCENARIO_CHECK()
{
	user_begin(later);
	BUG_ON(!user_try(USER_TEXT));
}

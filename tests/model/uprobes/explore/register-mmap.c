// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe is registered while a second mm maps its place. Whoever comes first, both
 * mms have the breakpoint in the end, and nobody has kept a reference to them.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct mm_struct *mm[2];

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm[0] = user_mm(file);
	mm[1] = user_mm(file);
	sim_vma_del(mm[1], USER_TEXT, USER_TEXT + PAGE_SIZE);
	task = user_task(mm[1], 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(sim_vma_add(mm[1], file, USER_TEXT, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm[0], USER_TEXT) != USER_BP);
	BUG_ON(user_text(mm[1], USER_TEXT) != USER_BP);
	BUG_ON(atomic_read(&mm[0]->mm_users) != 1);
	BUG_ON(atomic_read(&mm[1]->mm_users) != 2);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A second consumer joins a probe while the program maps its text once more; see
 * story.md.
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
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer first = { .handler = on_hit };
static struct uprobe_consumer second = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &first)));
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(sim_vma_add(mm, file, USER_TEXT, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
}

SCENARIO_THREAD(tracer)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &second)));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_BP);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One tracer unregisters the only consumer of a probe while another registers his
 * at the same place. Then the program comes by: the second one hears of it; see
 * story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct uprobe *probe;
static int hits;

static int on_old(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static int on_new(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	hits++;
	return 0;
}

static struct uprobe_consumer old = { .handler = on_old };
static struct uprobe_consumer new = { .handler = on_new };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct mm_struct *mm;

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &old);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(leaves)
{
	uprobe_unregister_nosync(probe, &old);
}

SCENARIO_THREAD(comes)
{
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &new)));
}

SCENARIO_CHECK()
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(hits != 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe's counter waits for its mapping. The text is unmapped, the probe is
 * unregistered, and then the mapping comes; see story.md.
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
static struct uprobe *probe[2];

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer[2] = { { .handler = on_hit },
					      { .handler = on_hit } };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *other;

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	probe[0] = uprobe_register(file, 0, USER_DATA_OFFSET, &consumer[0]);
	/* So that the tree is not empty when the mapping comes. */
	other = user_file(text, sizeof(text));
	probe[1] = uprobe_register(other, 0, 0, &consumer[1]);
	BUG_ON(IS_ERR(probe[0]) || IS_ERR(probe[1]));
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	user_map_data(mm, file);
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe[0], &consumer[0]);
}

SCENARIO_CHECK()
{
	/* What was counted for text that is gone stays counted. */
	BUG_ON(user_counter(mm, 0) > 1);
}

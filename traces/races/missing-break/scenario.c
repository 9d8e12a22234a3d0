// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads run into a probe, one whose instruction is emulated and one whose
 * instruction runs in a slot. Both get on; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task[2];

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer[2] = { { .handler = on_hit },
					      { .handler = on_hit } };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_INC };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int i;

	for (i = 0; i < 2; i++) {
		BUG_ON(IS_ERR(uprobe_register(file, i, 0, &consumer[i])));
		task[i] = user_task(mm, 1 + i);
	}
	user_limit_slots(mm, 2);
}

SCENARIO_THREAD(emulated)
{
	user_begin(task[0]);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(stepped)
{
	user_begin(task[1]);
	BUG_ON(!user_hit(USER_TEXT + 1));
	BUG_ON(user_log(task[1])->ax != 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread exits inside of a function that is followed, and a profiler's interrupt on its
 * CPU walks its stack, at any moment; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define CALLER (USER_TEXT + 1)

static struct task_struct *task;
static struct uprobe *probe;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(USER_TEXT, CALLER);
	user_exit();
}

SCENARIO_IRQ(profile, user)
{
	unsigned long slot, orig;
	void *cursor = NULL;

	while (sim_ret_next(task, &cursor, &slot, &orig))
		BUG_ON(orig != CALLER);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process forks while a probe is registered, and unregistered, in it. Registered
 * when both are done: the child has the breakpoint. Unregistered: it has none.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task, *child;
static struct inode *file;
static struct uprobe *probe[2];

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer[2] = { { .handler = on_hit },
					      { .handler = on_hit } };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_NOP };

	file = user_file(text, sizeof(text));
	task = user_task(user_mm(file), 1);
	probe[0] = uprobe_register(file, 0, 0, &consumer[0]);
	BUG_ON(IS_ERR(probe[0]));
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	child = user_fork(0, 2);
	BUG_ON(!child);
}

SCENARIO_THREAD(tracer)
{
	probe[1] = uprobe_register(file, 1, 0, &consumer[1]);
	BUG_ON(IS_ERR(probe[1]));
	uprobe_unregister_nosync(probe[0], &consumer[0]);
}

SCENARIO_CHECK()
{
	struct mm_struct *mm = sim_task_mm(child);

	BUG_ON(user_text(mm, USER_TEXT) != USER_NOP);
	BUG_ON(user_text(mm, USER_TEXT + 1) != USER_BP);
}

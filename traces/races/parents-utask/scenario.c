// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread inside of a function that is followed makes a second thread, which exits, and
 * then forks. Parent and child return to the caller; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define CALLER (USER_TEXT + 1)

static struct task_struct *task, *child[2];
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
	child[0] = user_fork(CLONE_VM, 2);
	BUG_ON(!child[0]);
	user_begin(child[0]);
	user_exit();
	user_begin(task);
	child[1] = user_fork(0, 3);
	BUG_ON(!child[1]);
	BUG_ON(user_return() != CALLER);
	user_begin(child[1]);
	BUG_ON(user_return() != CALLER);
}

SCENARIO_CHECK()
{
	BUG_ON(user_log(child[0])->killed || user_log(child[1])->killed);
}

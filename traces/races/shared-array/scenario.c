// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two sessions follow a function, then only one. A thread inside of the function forks;
 * parent and child exit. See story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 1)

static struct task_struct *task, *child;
static struct uprobe *probe;

static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer session[2] = {
	{ .handler = on_entry, .ret_handler = on_return },
	{ .handler = on_entry, .ret_handler = on_return },
};

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int i;

	for (i = 0; i < 2; i++)
		probe = uprobe_register(file, 0, 0, &session[i]);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);

	uprobe_unregister_nosync(probe, &session[0]);
	user_call(F, CALLER);
	child = user_fork(0, 2);
	BUG_ON(!child);
	user_exit();
	user_begin(child);
	user_exit();
}

SCENARIO_CHECK()
{
	BUG_ON(user_log(child)->killed);
}

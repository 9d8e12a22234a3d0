// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that two sessions follow is called and returns, and the timer may fire at
 * any moment. Each session gets its own cookie back; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static int returns;

static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	*data = (unsigned long)self;
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	BUG_ON(*data != (unsigned long)self);
	returns++;
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
		BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &session[i])));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(returns != 2);
	user_exit();
}

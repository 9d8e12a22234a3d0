// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that three sessions follow is called, and memory may run out once,
 * wherever it is wanted. Nothing is lost but, perhaps, this return; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

TRAPLINE_ALLOC_FAILURES(1);

static struct task_struct *task;
static int entries, returns;

static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	entries++;
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	returns++;
	return 0;
}

static struct uprobe_consumer session[3] = {
	{ .handler = on_entry, .ret_handler = on_return },
	{ .handler = on_entry, .ret_handler = on_return },
	{ .handler = on_entry, .ret_handler = on_return },
};

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int i;

	for (i = 0; i < 3; i++)
		BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &session[i])));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(entries != 3 || (returns && returns != 3));
	user_exit();
}

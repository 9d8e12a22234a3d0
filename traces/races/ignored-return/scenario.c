// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two consumers see a call. One says that it has no interest in this process, the other
 * wants the return. Only that one gets it; see story.md.
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

static int on_first(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	return trapline_choose(2) ? UPROBE_HANDLER_REMOVE
				  : UPROBE_HANDLER_IGNORE;
}

static int on_first_return(struct uprobe_consumer *self, unsigned long func,
			   struct pt_regs *regs, u64 *data)
{
	BUG();
	return 0;
}

static int on_second_return(struct uprobe_consumer *self, unsigned long func,
			    struct pt_regs *regs, u64 *data)
{
	returns++;
	return 0;
}

static struct uprobe_consumer first = { .handler = on_first,
					.ret_handler = on_first_return };
static struct uprobe_consumer second = { .ret_handler = on_second_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &first)));
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &second)));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(returns != 1);
	user_exit(); /* waits for the timer */
}

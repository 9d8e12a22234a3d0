// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function with a return probe is left by longjmp, called again, and returns. Then
 * no call is pending; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static int returns;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	returns++;
	return 0;
}

static struct uprobe_consumer consumer = { .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	unsigned long sp;

	user_begin(task);
	sp = user_sp();
	user_call(F, CALLER);
	user_longjmp(sp);
	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(returns != 1);
	BUG_ON(sim_ret_reveal()); /* the number of pending calls */
	user_exit();		  /* waits for the timer */
}

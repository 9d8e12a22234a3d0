// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function ends in a jump to another one (a tail call), and both have return probes.
 * One return serves both, and leads to the caller; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define G (USER_TEXT + 1)
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static int of_f, of_g;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	if (func == F)
		of_f++;
	else
		of_g++;
	return 0;
}

static struct uprobe_consumer consumer[2] = { { .ret_handler = on_return },
					      { .ret_handler = on_return } };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	BUG_ON(IS_ERR(uprobe_register(file, F - USER_TEXT, 0, &consumer[0])));
	BUG_ON(IS_ERR(uprobe_register(file, G - USER_TEXT, 0, &consumer[1])));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	user_hit(G); /* by a jump: no return address of its own */
	BUG_ON(user_return() != CALLER);
	BUG_ON(of_f != 1 || of_g != 1);
	user_exit(); /* waits for the timer */
}

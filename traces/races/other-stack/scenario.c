// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function switches to another stack, as coroutines do, calls a function there,
 * switches back and returns. Both functions have return probes; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define G (USER_TEXT + 1)
#define CALLER (USER_TEXT + 2)
#define COROUTINE (USER_TEXT + 3)

static struct task_struct *task, *neighbour;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
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
	neighbour = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	unsigned long own, other;

	/* That task does not run: its stack is the coroutine's, and lies higher. */
	user_begin(neighbour);
	other = user_sp();

	user_begin(task);
	user_call(F, CALLER);
	own = user_sp();
	user_longjmp(other);
	user_call(G, COROUTINE);
	BUG_ON(user_return() != COROUTINE);
	user_longjmp(own);
	BUG_ON(user_return() != CALLER);
	user_exit(); /* waits for the timer */
}

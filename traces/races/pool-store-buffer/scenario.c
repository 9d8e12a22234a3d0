// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread calls f and then g, both with return probes, while the timer that
 * ends their leases may fire at any moment and its stores may be late. Afterwards
 * each probe is referenced by its registration alone; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/refcount.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define G (USER_TEXT + 1)
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static struct uprobe *probe[2];
static int returns;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	returns++;
	return 0;
}

static struct uprobe_consumer consumer[2] = {
	{ .ret_handler = on_return },
	{ .ret_handler = on_return },
};

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int i;

	for (i = 0; i < 2; i++) {
		probe[i] = uprobe_register(file, i, 0, &consumer[i]);
		BUG_ON(IS_ERR(probe[i]));
	}
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);
	user_call(G, CALLER);
	BUG_ON(user_return() != CALLER);
	user_exit(); /* waits for the timer */
}

SCENARIO_CHECK()
{
	BUG_ON(returns != 2);
	BUG_ON(refcount_read(&probe[0]->ref) != 1);
	BUG_ON(refcount_read(&probe[1]->ref) != 1);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function with two consumers is called while one of them, which wants the
 * entry and the return, is unregistered. It sees a return only after an entry,
 * with the datum that it left there, and none once it is gone; the other one
 * sees its return in every order.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/refcount.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define CALLER (USER_TEXT + 2)
#define DATUM 42

static struct task_struct *task;
static struct uprobe *probe;
static int entries, exits, returns;
static bool over;

static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	BUG_ON(READ_ONCE(over));
	*data = DATUM;
	entries++;
	return 0;
}

static int on_exit(struct uprobe_consumer *self, unsigned long func,
		   struct pt_regs *regs, u64 *data)
{
	BUG_ON(READ_ONCE(over));
	BUG_ON(*data != DATUM);
	exits++;
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	returns++;
	return 0;
}

static struct uprobe_consumer session = { .handler = on_entry,
					  .ret_handler = on_exit };
static struct uprobe_consumer other = { .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, 0, 0, &other);
	BUG_ON(IS_ERR(probe));
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &session)));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(USER_TEXT, CALLER);
	BUG_ON(user_return() != CALLER);
	BUG_ON(exits > entries);
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe, &session);
	uprobe_unregister_sync();
	WRITE_ONCE(over, true);
}

SCENARIO_CHECK()
{
	BUG_ON(returns != 1);
}

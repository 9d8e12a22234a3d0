// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function's return address is being replaced when the store fails half-way. The
 * program does not return to an address that nobody wrote; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/signal.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static struct mm_struct *mm;

/* The stack ends in the middle of the word. */
static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	if (trapline_choose(2))
		user_tear_store(mm);
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_entry,
					   .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));

	mm = user_mm(file);
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	if (user_call(F, CALLER))
		BUG_ON(user_return() != CALLER);
	else
		BUG_ON(user_log(task)->killed != SIGSEGV);
	user_exit();
}

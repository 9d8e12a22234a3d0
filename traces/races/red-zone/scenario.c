// SPDX-License-Identifier: GPL-2.0-only
/*
 * A leaf function keeps a word in its red zone across a nop that is probed, while
 * another thread hits the probe. It finds its word again; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

static struct task_struct *task, *second;
static unsigned long at;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP2, 0, USER_NOP4, 0, 0, 0 };
	bool ten = uprobe_variant()->optimize->form == ARCH_OPT_NOP10;
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	unsigned int offset = ten ? 2 : 0;

	at = USER_TEXT + offset;
	BUG_ON(IS_ERR(uprobe_register(file, offset, 0, &consumer)));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	second = user_task(mm, 2);
}

SCENARIO_THREAD(leaf)
{
	user_begin(task);
	user_keep(1, 42);
	BUG_ON(!user_hit(at));
	BUG_ON(user_kept(1) != 42);
}

SCENARIO_THREAD(other)
{
	user_begin(second);
	BUG_ON(!user_hit(at));
}

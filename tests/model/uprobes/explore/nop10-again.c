// SPDX-License-Identifier: GPL-2.0-only
/*
 * A breakpoint becomes a call that lowers the stack first, a nop again since the
 * consumer does not want this mm, a breakpoint and such a call once more, while a
 * thread executes the place. Wherever that thread is then, it goes on with its
 * stack as it was and what it keeps below, and is counted at most once.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task, *other;
static struct uprobe *probe;
static struct mm_struct *mm;
static atomic_t hits;
static bool wants = true;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	atomic_inc(&hits);
	return 0;
}

static bool filter(struct uprobe_consumer *self, struct mm_struct *which)
{
	return wants;
}

static struct uprobe_consumer consumer = {
	.handler = on_hit,
	.filter = filter,
};

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP4, 0, 0, 0 };
	struct inode *file = user_file(text, sizeof(text));

	BUG_ON(sim_variant_set("optimize=nop10"));
	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	other = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	unsigned long sp;

	user_begin(task);
	sp = user_sp();
	user_keep(1, 42);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_sp() != sp || user_kept(1) != 42);
}

SCENARIO_THREAD(tracer)
{
	user_begin(other);
	BUG_ON(!user_hit(USER_TEXT));
	wants = false;
	BUG_ON(uprobe_apply(probe, &consumer, false));
	wants = true;
	BUG_ON(uprobe_apply(probe, &consumer, true));
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_LOWER);
	BUG_ON(user_text(mm, USER_TEXT + 2) != USER_CALL2);
	BUG_ON(atomic_read(&hits) != 2 && atomic_read(&hits) != 3);
}

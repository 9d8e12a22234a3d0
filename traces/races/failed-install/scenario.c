// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process has a probe, and a second one is registered while text cannot be written
 * for a moment. Whether it gets in or not, the first one works; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define G (USER_TEXT + 1)

static struct task_struct *task;
static struct inode *file;
static struct mm_struct *mm;
static int hits;

static int on_f(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	hits++;
	return 0;
}

static int on_g(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer of_f = { .handler = on_f };
static struct uprobe_consumer of_g = { .handler = on_g };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	BUG_ON(IS_ERR(uprobe_register(file, F - USER_TEXT, 0, &of_f)));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	user_lock_text(mm, true);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(F));
}

SCENARIO_THREAD(tracer)
{
	struct uprobe *probe = uprobe_register(file, G - USER_TEXT, 0, &of_g);

	/* It is in, or it is not there at all. */
	BUG_ON(user_text(mm, G) != (IS_ERR(probe) ? USER_NOP : USER_BP));
}

SCENARIO_THREAD(memory)
{
	user_lock_text(mm, false); /* there is some again */
}

SCENARIO_CHECK()
{
	BUG_ON(hits != 1);
}

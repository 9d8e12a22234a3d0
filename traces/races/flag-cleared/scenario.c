// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process has two probes. One is unregistered while a thread runs into the other,
 * which notices nothing; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define G (USER_TEXT + 1)

static struct task_struct *task;
static struct uprobe *probe;
static int hits;

static int on_f(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static int on_g(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	hits++;
	return 0;
}

static struct uprobe_consumer of_f = { .handler = on_f };
static struct uprobe_consumer of_g = { .handler = on_g };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, F - USER_TEXT, 0, &of_f);
	BUG_ON(IS_ERR(probe));
	BUG_ON(IS_ERR(uprobe_register(file, G - USER_TEXT, 0, &of_g)));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(F));
	BUG_ON(!user_hit(G));
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe, &of_f);
}

SCENARIO_CHECK()
{
	BUG_ON(hits != 1);
}

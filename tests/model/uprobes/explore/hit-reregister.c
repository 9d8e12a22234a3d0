// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a probe while that is replaced by another at the same
 * place. The trap may belong to the old uprobe, to the new one before it is
 * prepared, or to nobody; the instruction is executed once in any case, and no
 * signal is sent.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/refcount.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct inode *file;
static struct uprobe *probe;
static int hits[2];

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs,
		  u64 *data);

static struct uprobe_consumer consumer[2] = {
	{ .handler = on_hit },
	{ .handler = on_hit },
};

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	hits[self - consumer]++;
	return 0;
}

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct mm_struct *mm;

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	probe = uprobe_register(file, 0, 0, &consumer[0]);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task)->ax != 1);
}

SCENARIO_THREAD(replace)
{
	uprobe_unregister_nosync(probe, &consumer[0]);
	probe = uprobe_register(file, 0, 0, &consumer[1]);
	BUG_ON(IS_ERR(probe));
}

SCENARIO_CHECK()
{
	BUG_ON(hits[0] > 1 || hits[1] > 1);
	BUG_ON(refcount_read(&probe->ref) != 1);
	BUG_ON(!uprobe_is_active(probe));
}

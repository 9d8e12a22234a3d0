// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tracers register at one place, each with a counter of his own, and leave.
 * A counter that is accepted is counted, and afterwards the place is free; see
 * story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct inode *file;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer[3] = { { .handler = on_hit },
					      { .handler = on_hit },
					      { .handler = on_hit } };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	user_map_data(mm, file);
}

static void come_and_leave(int n)
{
	struct uprobe *probe;

	probe = uprobe_register(file, 0, USER_DATA_OFFSET + 2 * n,
				&consumer[n]);
	if (IS_ERR(probe))
		return; /* the other one was there */
	BUG_ON(user_counter(mm, n) != 1);
	uprobe_unregister_nosync(probe, &consumer[n]);
}

SCENARIO_THREAD(one)
{
	come_and_leave(0);
}

SCENARIO_THREAD(two)
{
	come_and_leave(1);
}

SCENARIO_CHECK()
{
	BUG_ON(user_counter(mm, 0) || user_counter(mm, 1));
	BUG_ON(IS_ERR(uprobe_register(file, 0, USER_DATA_OFFSET + 2 * 2,
				      &consumer[2])));
}

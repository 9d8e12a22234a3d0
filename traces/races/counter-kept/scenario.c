// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe with a reference counter is unregistered while text cannot be written
 * for a moment. The counter says how many breakpoints are in, whether that one
 * is out or not; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct uprobe *probe;
static struct mm_struct *mm;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));

	mm = user_mm(file);
	user_map_data(mm, file);
	probe = uprobe_register(file, 0, USER_DATA_OFFSET, &consumer);
	BUG_ON(IS_ERR(probe));
	user_lock_text(mm, true);
}

SCENARIO_THREAD(unregister)
{
	uprobe_unregister_nosync(probe, &consumer);
}

SCENARIO_THREAD(memory)
{
	user_lock_text(mm, false); /* there is some again */
}

SCENARIO_CHECK()
{
	BUG_ON(user_counter(mm, 0) != (user_text(mm, USER_TEXT) == USER_BP));
}

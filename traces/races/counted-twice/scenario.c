// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe with a reference counter comes and goes while the page of text may be replaced
 * at any moment. The counter says how many breakpoints are in; see story.md.
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

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	user_map_data(mm, file);
}

SCENARIO_THREAD(tracer)
{
	struct uprobe *probe;

	probe = uprobe_register(file, 0, USER_DATA_OFFSET, &consumer);
	BUG_ON(IS_ERR(probe));
	BUG_ON(user_counter(mm, 0) != 1);
	uprobe_unregister_nosync(probe, &consumer);
	BUG_ON(user_counter(mm, 0) != 0);
}

SCENARIO_THREAD(memory)
{
	user_move_text(mm);
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT) != USER_NOP);
}

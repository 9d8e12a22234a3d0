// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads need the XOL area at the same time: there is one afterwards, with
 * nothing but the trampoline's slot taken.
 */
#include <linux/bug.h>
#include <sim/entry.h>
#include <linux/mm_types.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task[2];
static struct mm_struct *mm;
static struct xol_area *area[2];

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };

	mm = user_mm(user_file(text, sizeof(text)));
	task[0] = user_task(mm, 1);
	task[1] = user_task(mm, 2);
}

SCENARIO_THREAD(one)
{
	user_begin(task[0]);
	area[0] = get_xol_area();
	BUG_ON(uprobe_get_trampoline_vaddr() != area[0]->vaddr);
}

SCENARIO_THREAD(two)
{
	user_begin(task[1]);
	area[1] = get_xol_area();
	BUG_ON(uprobe_get_trampoline_vaddr() != area[1]->vaddr);
}

SCENARIO_CHECK()
{
	BUG_ON(!area[0] || area[0] != area[1]);
	BUG_ON(area[0]->bitmap[0] != 1);
	BUG_ON(user_text(mm, area[0]->vaddr) != USER_BP);
}

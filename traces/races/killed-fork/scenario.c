// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread forks while another one maps something, and is killed. Both exit, and so
 * does the child if there is one; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task[2], *child;
static struct inode *file;
static struct mm_struct *mm;

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	user_limit_slots(mm, 2); /* makes the area */
	task[0] = user_task(mm, 1);
	task[1] = user_task(mm, 2);
	sim_mm_put(mm); /* the tasks have the last references */
}

SCENARIO_THREAD(user)
{
	user_begin(task[0]);
	child = user_fork(0, 3);
	user_exit();
	if (child) {
		user_begin(child);
		user_exit();
	}
}

SCENARIO_THREAD(other)
{
	user_begin(task[1]);
	user_map_data(mm, file);
	user_exit();
}

SCENARIO_THREAD(killer)
{
	user_signal(task[0], true);
}

SCENARIO_CHECK()
{
	BUG_ON(child && user_log(child)->killed);
}

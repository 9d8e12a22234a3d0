// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal is sent to a thread that runs into a stepped probe, in the design of
 * up to 6.14. It has been delivered in the end, or the thread will look for it.
 */
#include <linux/bug.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;

static void on_hit(void *arg, struct pt_regs *regs)
{
}

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int err;

	BUG_ON(sim_variant_set("signals=siglock"));
	BUG_ON(!sim_probe_add(file, 0, 0, on_hit, NULL, NULL, &err));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(sender)
{
	user_signal(task, false);
}

SCENARIO_CHECK()
{
	BUG_ON(!user_log(task)->signals &&
	       !test_tsk_thread_flag(task, TIF_SIGPENDING));
}

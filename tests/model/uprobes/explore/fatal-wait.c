// SPDX-License-Identifier: GPL-2.0-only
/*
 * No slot will ever be free, and a fatal signal is sent to the thread that needs
 * one: before it waits, while it enters the queue, when it sleeps. It dies in
 * any case, at the probed address, and leaves the queue.
 */
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/signal.h>
#include <linux/mm_types.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task;
static struct xol_area *area;

static void on_hit(void *arg, struct pt_regs *regs)
{
}

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int err;

	BUG_ON(!sim_probe_add(file, 0, 0, on_hit, NULL, NULL, &err));
	user_limit_slots(mm, 2);
	area = xol_area_of(mm);
	set_bit(1, area->bitmap);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(user_hit(USER_TEXT));
	BUG_ON(user_log(task)->killed != SIGKILL);
	BUG_ON(user_log(task)->signal_ip != USER_TEXT);
}

SCENARIO_THREAD(killer)
{
	user_signal(task, true);
}

SCENARIO_CHECK()
{
	BUG_ON(waitqueue_active(&area->wq));
	BUG_ON(area->bitmap[0] != 3);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that steps in the only slot is killed there, while another one waits
 * for the slot. It gets it, and the dead thread has left nothing behind; see
 * story.md.
 */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task[2];
static struct uprobe *probe;
static bool dead, over;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_INC };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 2); /* slot 0 is the trampoline */
	task[0] = user_task(mm, 1);
	task[1] = user_task(mm, 2);
}

static void kill(void)
{
	user_signal(task[0], true);
}

SCENARIO_THREAD(victim)
{
	user_begin(task[0]);
	user_in_slot(kill);
	BUG_ON(user_hit(USER_TEXT));
	BUG_ON(user_log(task[0])->signal_ip != USER_TEXT);
	user_exit();
	smp_store_release(&dead, true);
}

SCENARIO_THREAD(waiter)
{
	user_begin(task[1]);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task[1])->ax != 1);
	smp_store_release(&over, true);
}

SCENARIO_THREAD(unregister)
{
	smp_cond_load_acquire(&dead, VAL);
	smp_cond_load_acquire(&over, VAL);
	uprobe_unregister_nosync(probe, &consumer);
}

SCENARIO_CHECK()
{
	BUG_ON(!no_uprobe_events()); /* every reference is given back */
}

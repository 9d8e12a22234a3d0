// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread holds the only slot for as long as another one lives, which waits
 * for the slot and is killed. Both end; see story.md.
 */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/signal.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static struct task_struct *task[2];
static bool held, dead;

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

	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &consumer)));
	user_limit_slots(mm, 2); /* slot 0 is the trampoline */
	task[0] = user_task(mm, 1);
	task[1] = user_task(mm, 2);
}

/* The copy touches a page that somebody supplies later. */
static void page_fault(void)
{
	smp_store_release(&held, true);
	smp_cond_load_acquire(&dead, VAL);
}

SCENARIO_THREAD(holder)
{
	user_begin(task[0]);
	user_in_slot(page_fault);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task[0])->ax != 1);
}

SCENARIO_THREAD(waiter)
{
	smp_cond_load_acquire(&held, VAL);
	user_begin(task[1]);
	BUG_ON(user_hit(USER_TEXT));
	BUG_ON(user_log(task[1])->killed != SIGKILL);
	smp_store_release(&dead, true);
}

SCENARIO_THREAD(killer)
{
	user_signal(task[1], true);
}

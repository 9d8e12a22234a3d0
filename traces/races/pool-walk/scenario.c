// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread exits inside two nested calls with return probes, and the timer may fire at
 * any moment. Afterwards the probe can be taken off; see story.md.
 */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

static struct task_struct *task;
static struct uprobe *probe;
static bool dead;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	user_call(F, CALLER);
	user_call(F, CALLER + 1);
	user_exit();
	smp_store_release(&dead, true);
}

SCENARIO_THREAD(unregister)
{
	smp_cond_load_acquire(&dead, VAL);
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync(); /* never ends if a lease was lost */
}

SCENARIO_CHECK()
{
	BUG_ON(!no_uprobe_events()); /* every reference is given back */
}

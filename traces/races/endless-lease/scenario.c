// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function with a return probe does not return before the probe is
 * unregistered, and unregistering waits for those who are inside. Both end; see
 * story.md.
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
static bool called, gone;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	BUG(); /* it has gone by then */
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
	smp_store_release(&called, true);
	smp_cond_load_acquire(&gone, VAL);
	BUG_ON(user_return() != CALLER);
}

SCENARIO_THREAD(unregister)
{
	smp_cond_load_acquire(&called, VAL);
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync();
	smp_store_release(&gone, true);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread is inside a function with a return probe while that probe, the only one,
 * goes, and another runs into a breakpoint of the program's own. The function returns
 * to its caller; see story.md.
 */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/signal.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define OWN (USER_TEXT + 1) /* a breakpoint of the program's own */
#define CALLER (USER_TEXT + 2)

static struct task_struct *caller_task, *other_task;
static struct uprobe *probe;
static bool called, gone, looked;

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	return 0;
}

static struct uprobe_consumer consumer = { .ret_handler = on_return };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_BP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);

	probe = uprobe_register(file, 0, 0, &consumer);
	BUG_ON(IS_ERR(probe));
	user_limit_slots(mm, 1);
	caller_task = user_task(mm, 1);
	other_task = user_task(mm, 2);
}

SCENARIO_THREAD(caller)
{
	user_begin(caller_task);
	user_call(F, CALLER);
	smp_store_release(&called, true);
	smp_cond_load_acquire(&looked, VAL);
	BUG_ON(user_return() != CALLER);
}

SCENARIO_THREAD(unregister)
{
	smp_cond_load_acquire(&called, VAL);
	uprobe_unregister_nosync(probe, &consumer);
	smp_store_release(&gone, true);
}

SCENARIO_THREAD(other)
{
	smp_cond_load_acquire(&gone, VAL);
	user_begin(other_task);
	user_hit(OWN);
	BUG_ON(user_log(other_task)->killed != SIGTRAP);
	smp_store_release(&looked, true);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads of one process step over the same probe, and there is one slot.
 * Both must come through; see story.md.
 */
#include <linux/bug.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>

static struct task_struct *task[2];

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
	user_limit_slots(mm, 2); /* slot 0 is the trampoline */
	task[0] = user_task(mm, 1);
	task[1] = user_task(mm, 2);
}

static void step(struct task_struct *t)
{
	user_begin(t);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(t)->ax != 1);
}

SCENARIO_THREAD(stepper)
{
	step(task[0]);
}

SCENARIO_THREAD(waiter)
{
	step(task[1]);
}

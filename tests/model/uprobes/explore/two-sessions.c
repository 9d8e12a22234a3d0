// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call that two sessions follow, with the timer at any moment: each gets its
 * own cookie back. Before it, a call whose return address is the trampoline's
 * already, though nobody put it there: it is not followed, and nothing is kept
 * of it.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define F USER_TEXT
#define CALLER (USER_TEXT + 2)

struct session {
	struct uprobe_consumer uc;
	u64 cookie;
	int returns;
};

static struct task_struct *task;

static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	*data = container_of(self, struct session, uc)->cookie;
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long func,
		     struct pt_regs *regs, u64 *data)
{
	struct session *s = container_of(self, struct session, uc);

	BUG_ON(*data != s->cookie);
	s->returns++;
	return 0;
}

static struct session session[2] = {
	{ { .handler = on_entry, .ret_handler = on_return }, 11 },
	{ { .handler = on_entry, .ret_handler = on_return }, 22 },
};

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	struct inode *file = user_file(text, sizeof(text));
	struct mm_struct *mm = user_mm(file);
	int i;

	for (i = 0; i < 2; i++)
		BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &session[i].uc)));
	user_limit_slots(mm, 1);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	unsigned long sp;

	user_begin(task);
	sp = user_sp();
	user_call(F, uprobe_get_trampoline_vaddr());
	BUG_ON(task->utask->depth);
	user_longjmp(sp);

	user_call(F, CALLER);
	BUG_ON(user_return() != CALLER);
	user_exit();
}

SCENARIO_CHECK()
{
	BUG_ON(session[0].returns != 1 || session[1].returns != 1);
}

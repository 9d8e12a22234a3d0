// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe is registered and becomes a call at once, while a thread executes the
 * place. The thread has the nop, or is counted; it never has a mix of both, which
 * the machine would say.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"
#include "uprobes/variant.h"

static struct task_struct *task, *other;
static struct inode *file;
static struct mm_struct *mm;
static atomic_t hits;
static bool nop10;
static unsigned long offset;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	atomic_inc(&hits);
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP2, 0, USER_NOP4, 0, 0, 0 };

	nop10 = uprobe_variant()->optimize->form == ARCH_OPT_NOP10;
	offset = nop10 ? 2 : 0;
	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	other = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT + offset));
}

SCENARIO_THREAD(tracer)
{
	user_begin(other);
	BUG_ON(IS_ERR(uprobe_register(file, offset, 0, &consumer)));
	BUG_ON(!user_hit(USER_TEXT + offset));
	BUG_ON(!user_hit(USER_TEXT + offset));
}

SCENARIO_CHECK()
{
	BUG_ON(user_text(mm, USER_TEXT + offset) !=
	       (nop10 ? USER_LOWER : USER_CALL2));
	BUG_ON(user_text(mm, USER_TEXT + offset + 1) == 0);
	BUG_ON(atomic_read(&hits) != 2 && atomic_read(&hits) != 3);
}

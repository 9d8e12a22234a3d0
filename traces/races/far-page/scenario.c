// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a probe that is 4 GiB into a file. Its handler is called, and its
 * instruction executed; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define FAR (1ul << 32)

static struct task_struct *task;
static int hits;

static int on_far(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	hits++;
	return 0;
}

static struct uprobe_consumer far = { .handler = on_far };

static int read_page(void *priv, unsigned long off, void *to, unsigned long n)
{
	memset(to, off < FAR ? USER_NOP : USER_INC, n);
	return 0;
}

SCENARIO_SETUP()
{
	struct inode *file = sim_inode_new(NULL, FAR + PAGE_SIZE, read_page);
	struct mm_struct *mm;

	BUG_ON(!file);
	mm = user_mm(file);
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(IS_ERR(uprobe_register(file, FAR, 0, &far)));
	BUG_ON(sim_vma_add(mm, file, USER_TEXT, USER_TEXT + PAGE_SIZE, FAR,
			   SIM_VM_READ | SIM_VM_EXEC));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
	BUG_ON(user_log(task)->ax != 1 || hits != 1);
}

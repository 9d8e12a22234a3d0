// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread runs into a probe in the second page of a mapping, while the first page
 * is unmapped. The probe that it finds is the one of its place; see story.md.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <sim/entry.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

#define FIRST_PAGE (USER_TEXT - PAGE_SIZE)

static struct task_struct *task, *other;
static struct mm_struct *mm;
static int hits;

static int on_first(struct uprobe_consumer *self, struct pt_regs *regs,
		    u64 *data)
{
	BUG(); /* nobody was there */
	return 0;
}

static int on_second(struct uprobe_consumer *self, struct pt_regs *regs,
		     u64 *data)
{
	hits++;
	return 0;
}

static struct uprobe_consumer first = { .handler = on_first };
static struct uprobe_consumer second = { .handler = on_second };

static int read_nops(void *priv, unsigned long off, void *to, unsigned long n)
{
	memset(to, USER_NOP, n);
	return 0;
}

SCENARIO_SETUP()
{
	struct inode *file = sim_inode_new(NULL, 2 * PAGE_SIZE, read_nops);

	BUG_ON(!file);
	mm = user_mm(file);
	sim_vma_del(mm, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(IS_ERR(uprobe_register(file, 0, 0, &first)));
	BUG_ON(IS_ERR(uprobe_register(file, PAGE_SIZE, 0, &second)));
	BUG_ON(sim_vma_add(mm, file, FIRST_PAGE, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
	user_limit_slots(mm, 2);
	task = user_task(mm, 1);
	other = user_task(mm, 2);
}

SCENARIO_THREAD(user)
{
	user_begin(task);
	BUG_ON(!user_hit(USER_TEXT));
}

SCENARIO_THREAD(unmap)
{
	user_begin(other);
	sim_vma_del(mm, FIRST_PAGE, USER_TEXT);
}

SCENARIO_CHECK()
{
	BUG_ON(hits != 1);
}

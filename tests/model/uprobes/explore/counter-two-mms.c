// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpoints go into two mms at a time, before either has its data: what waits for
 * the counters is in one list, and both are counted when the data comes.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static bool nobody(struct uprobe_consumer *self, struct mm_struct *mm)
{
	return false;
}

static int ignores(struct uprobe_consumer *self, struct pt_regs *regs,
		   u64 *data)
{
	return 0;
}

/* Its breakpoints are not put in by itself. */
static struct uprobe_consumer uc = { .handler = ignores, .filter = nobody };
static struct inode *file;
static struct mm_struct *mm[2];
static struct uprobe *uprobe;

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP };
	int i;

	file = user_file(text, sizeof(text));
	for (i = 0; i < 2; i++) {
		mm[i] = user_mm(file);
		mm_flags_set(MMF_HAS_UPROBES, mm[i]);
	}
	uprobe = uprobe_register(file, 0, USER_DATA_OFFSET, &uc);
	BUG_ON(IS_ERR(uprobe));
}

static void count(struct mm_struct *which)
{
	mmap_write_lock(which);
	BUG_ON(update_ref_ctr(uprobe, which, 1));
	mmap_write_unlock(which);
}

SCENARIO_THREAD(a)
{
	count(mm[0]);
}

SCENARIO_THREAD(b)
{
	count(mm[1]);
}

SCENARIO_CHECK()
{
	int i;

	for (i = 0; i < 2; i++) {
		user_map_data(mm[i], file);
		BUG_ON(user_counter(mm[i], 0) != 1);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe leaves the tree, and another one takes its place there, while a hit looks for
 * that one without a lock: it finds it, wherever it is meanwhile (P4).
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/rcupdate_trace.h>
#include <trapline/scenario.h>
#include <trapline/user.h>
#include "uprobes/uprobes.h"

static int ignores(struct uprobe_consumer *self, struct pt_regs *regs,
		   u64 *data)
{
	return 0;
}

static struct uprobe_consumer uc[3] = {
	{ .handler = ignores },
	{ .handler = ignores },
	{ .handler = ignores },
};
static struct inode *file;
static struct uprobe *root, *moves;

static struct uprobe *probe(int i)
{
	struct uprobe *uprobe = uprobe_register(file, i, 0, &uc[i]);

	BUG_ON(IS_ERR(uprobe));
	return uprobe;
}

SCENARIO_SETUP()
{
	const unsigned char text[] = { USER_NOP, USER_NOP, USER_NOP };

	file = user_file(text, sizeof(text));
	root = probe(1);
	probe(0);
	moves = probe(2);
}

SCENARIO_THREAD(leaves)
{
	uprobe_unregister_nosync(root, &uc[1]);
}

SCENARIO_THREAD(hit)
{
	rcu_read_lock_trace();
	BUG_ON(find_uprobe_rcu(file, 2) != moves);
	rcu_read_unlock_trace();
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objpool.h - a pool that counts what it has, under a name that is the tree's.
 */
#ifndef TREE_OBJPOOL_H
#define TREE_OBJPOOL_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

struct objpool_head {
	int left;
};

/* It forgets that it is not alone. */
static inline bool take_inline(struct objpool_head *pool)
{
	int left = READ_ONCE(pool->left);

	if (!left)
		return false;
	WRITE_ONCE(pool->left, left - 1);
	BUG_ON(READ_ONCE(pool->left) != left - 1);
	return true;
}

bool take(struct objpool_head *pool);

#endif /* TREE_OBJPOOL_H */

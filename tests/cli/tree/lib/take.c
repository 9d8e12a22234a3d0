// SPDX-License-Identifier: GPL-2.0-only
/*
 * take.c - as in the header, but out of line.
 */
#include <linux/objpool.h>

bool take(struct objpool_head *pool)
{
	return take_inline(pool);
}

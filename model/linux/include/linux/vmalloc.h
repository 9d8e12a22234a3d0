/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/vmalloc.h - large allocations, which are as any here.
 *
 * 	function			sleeps		scheduling point
 * 	vmalloc, vzalloc, __vmalloc	yes		no
 * 	vfree				no		yes
 * Context: task. NULL: no memory. Leaves out page protection, alignment, and the way
 * back from an address to its pages.
 */
#ifndef LINUX_VMALLOC_H
#define LINUX_VMALLOC_H

#include <linux/slab.h>

#define __vmalloc(size, gfp) kmalloc(size, gfp)
#define __vmalloc_node(size, align, gfp, node, caller) \
	((void)(align), (void)(node), (void)(caller), __vmalloc(size, gfp))
#define vmalloc(size) __vmalloc(size, GFP_KERNEL)
#define vzalloc(size) __vmalloc(size, GFP_KERNEL | __GFP_ZERO)
#define vfree(p) kfree(p)

#endif /* LINUX_VMALLOC_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/align.h - rounding to a power of two.
 *
 * Context: any, pure.
 */
#ifndef LINUX_ALIGN_H
#define LINUX_ALIGN_H

#include <linux/const.h>

#define ALIGN(x, a) __ALIGN_KERNEL((x), (a))
#define ALIGN_DOWN(x, a) __ALIGN_KERNEL((x) - ((a)-1), (a))
#define PTR_ALIGN(p, a) ((__typeof__(p))ALIGN((unsigned long)(p), (a)))
#define IS_ALIGNED(x, a) (((x) & ((__typeof__(x))(a)-1)) == 0)

#endif /* LINUX_ALIGN_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/const.h - constants for C only, alignment of values.
 *
 * Context: any, pure.
 */
#ifndef LINUX_CONST_H
#define LINUX_CONST_H

#define UL(x) (x##UL)
#define ULL(x) (x##ULL)
#define _BITUL(x) (UL(1) << (x))
#define __ALIGN_KERNEL_MASK(x, mask) (((x) + (mask)) & ~(mask))
#define __ALIGN_KERNEL(x, a) __ALIGN_KERNEL_MASK(x, (__typeof__(x))(a)-1)

#endif /* LINUX_CONST_H */

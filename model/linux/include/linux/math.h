/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/math.h - division that rounds up.
 *
 * Leaves out roots and 64-bit division for small machines. Context: any, pure.
 */
#ifndef LINUX_MATH_H
#define LINUX_MATH_H

#define DIV_ROUND_UP(n, d) (((n) + (d)-1) / (d))
#define round_up(x, y) ((((x)-1) | ((__typeof__(x))(y)-1)) + 1)
#define round_down(x, y) ((x) & ~((__typeof__(x))(y)-1))

#endif /* LINUX_MATH_H */

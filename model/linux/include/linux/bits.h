/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/bits.h - masks.
 *
 * Context: any, pure.
 */
#ifndef LINUX_BITS_H
#define LINUX_BITS_H

#define BITS_PER_BYTE 8
#define BITS_PER_LONG 64
#define BIT(nr) (1ul << (nr))
#define BIT_MASK(nr) (1ul << ((nr) % BITS_PER_LONG))
#define BIT_WORD(nr) ((nr) / BITS_PER_LONG)
#define GENMASK(high, low) \
	((~0ul << (low)) & (~0ul >> (BITS_PER_LONG - 1 - (high))))

#endif /* LINUX_BITS_H */

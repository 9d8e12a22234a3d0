/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/log2.h - powers of two.
 *
 * Context: any, pure. ilog2 and roundup_pow_of_two of 0 are undefined.
 */
#ifndef LINUX_LOG2_H
#define LINUX_LOG2_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

static __always_inline int ilog2(unsigned long n)
{
	return BITS_PER_LONG - 1 - __builtin_clzl(n);
}

static __always_inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static __always_inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n == 1 ? 1 : 2ul << ilog2(n - 1);
}

static __always_inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1ul << ilog2(n);
}

#endif /* LINUX_LOG2_H */

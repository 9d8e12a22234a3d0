/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/overflow.h - sizes that do not wrap around.
 *
 * Context: any, pure. A size that would wrap is SIZE_MAX, which no allocation grants.
 * Leaves out arithmetic with signs, and constant expressions.
 */
#ifndef LINUX_OVERFLOW_H
#define LINUX_OVERFLOW_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>

#define check_add_overflow(a, b, to) __builtin_add_overflow(a, b, to)
#define check_sub_overflow(a, b, to) __builtin_sub_overflow(a, b, to)
#define check_mul_overflow(a, b, to) __builtin_mul_overflow(a, b, to)

static __always_inline size_t size_mul(size_t a, size_t b)
{
	size_t to;

	return check_mul_overflow(a, b, &to) ? SIZE_MAX : to;
}

static __always_inline size_t size_add(size_t a, size_t b)
{
	size_t to;

	return check_add_overflow(a, b, &to) ? SIZE_MAX : to;
}

#define array_size(a, b) size_mul(a, b)
/* *p and n elements of its last member, an array without a size. */
#define flex_array_size(p, member, n) size_mul(n, sizeof(*(p)->member))
#define struct_size(p, member, n) \
	size_add(sizeof(*(p)), flex_array_size(p, member, n))

#endif /* LINUX_OVERFLOW_H */

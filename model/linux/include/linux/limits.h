/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/limits.h - largest and smallest values of the C types.
 *
 * Context: none needed, nothing here is code.
 */
#ifndef LINUX_LIMITS_H
#define LINUX_LIMITS_H

#define INT_MAX ((int)(~0u >> 1))
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (~0u)
#define LONG_MAX ((long)(~0ul >> 1))
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (~0ul)
#define SIZE_MAX (~(size_t)0)
#define U8_MAX ((u8)~0)
#define U32_MAX ((u32)~0u)
#define S32_MAX ((s32)(U32_MAX >> 1))
#define U64_MAX ((u64)~0ull)
#define S64_MAX ((s64)(U64_MAX >> 1))

#endif /* LINUX_LIMITS_H */

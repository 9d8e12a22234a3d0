/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/err.h - an error number inside a pointer.
 *
 * Context: any, pure.
 */
#ifndef LINUX_ERR_H
#define LINUX_ERR_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

#define MAX_ERRNO 4095

#define IS_ERR_VALUE(x) \
	unlikely((unsigned long)(void *)(x) >= (unsigned long)-MAX_ERRNO)

static __always_inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static __always_inline long PTR_ERR(const void *ptr)
{
	return (long)ptr;
}

static __always_inline bool IS_ERR(const void *ptr)
{
	return IS_ERR_VALUE((unsigned long)ptr);
}

static __always_inline bool IS_ERR_OR_NULL(const void *ptr)
{
	return unlikely(!ptr) || IS_ERR(ptr);
}

static __always_inline void *ERR_CAST(const void *ptr)
{
	return (void *)ptr;
}

static __always_inline int PTR_ERR_OR_ZERO(const void *ptr)
{
	return IS_ERR(ptr) ? (int)PTR_ERR(ptr) : 0;
}

#endif /* LINUX_ERR_H */

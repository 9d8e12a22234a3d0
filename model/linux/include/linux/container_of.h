/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/container_of.h - from a member to what contains it.
 *
 * Leaves out the check that the pointer has the member's type, which refuses
 * arrays that some callers pass. Context: any, pure.
 */
#ifndef LINUX_CONTAINER_OF_H
#define LINUX_CONTAINER_OF_H

#include <linux/stddef.h>

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr)-offsetof(type, member)))
#define container_of_const(ptr, type, member) container_of(ptr, type, member)
#define typeof_member(type, member) __typeof__(((type *)0)->member)

#endif /* LINUX_CONTAINER_OF_H */

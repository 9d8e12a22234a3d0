/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/array_size.h - number of elements of an array.
 *
 * Context: any, pure.
 */
#ifndef LINUX_ARRAY_SIZE_H
#define LINUX_ARRAY_SIZE_H

#define ARRAY_SIZE(arr) (sizeof(arr) / sizeof((arr)[0]))

#endif /* LINUX_ARRAY_SIZE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/sort.h - nobody sorts yet; files include it all the same.
 *
 * Context: none needed.
 */
#ifndef LINUX_SORT_H
#define LINUX_SORT_H

#include <linux/types.h>

#endif /* LINUX_SORT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/bitmap.h - part of linux/bitops.h here.
 *
 * Context: see there.
 */
#ifndef LINUX_BITMAP_H
#define LINUX_BITMAP_H

#include <linux/bitops.h>

#endif /* LINUX_BITMAP_H */

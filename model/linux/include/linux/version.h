/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/version.h - releases as numbers.
 *
 * LINUX_VERSION_CODE is that of the tree whose files are hosted; without any, of the
 * release that the model follows. Context: any, pure.
 */
#ifndef LINUX_VERSION_H
#define LINUX_VERSION_H

#define KERNEL_VERSION(a, b, c) \
	(((a) << 16) + ((b) << 8) + ((c) > 255 ? 255 : (c)))
#ifndef LINUX_VERSION_CODE
#define LINUX_VERSION_CODE KERNEL_VERSION(6, 18, 0)
#endif

#endif /* LINUX_VERSION_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/export.h - there are no modules.
 */
#ifndef LINUX_EXPORT_H
#define LINUX_EXPORT_H

#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)

#endif /* LINUX_EXPORT_H */

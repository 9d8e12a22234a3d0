/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/linkage.h - marks of functions that assembly calls.
 *
 * Context: none needed. Leaves out what only assembly uses.
 */
#ifndef LINUX_LINKAGE_H
#define LINUX_LINKAGE_H

#include <linux/compiler_types.h>
#include <linux/export.h>

#define asmlinkage
#define __visible __attribute__((__externally_visible__))

#endif /* LINUX_LINKAGE_H */

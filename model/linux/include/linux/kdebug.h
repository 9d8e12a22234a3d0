/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/kdebug.h - traps come in through linux/entry.h.
 */
#ifndef LINUX_KDEBUG_H
#define LINUX_KDEBUG_H

#endif /* LINUX_KDEBUG_H */

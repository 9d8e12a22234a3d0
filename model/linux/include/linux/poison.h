/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/poison.h - what a removed list entry points to.
 *
 * Context: none needed, nothing here is code.
 */
#ifndef LINUX_POISON_H
#define LINUX_POISON_H

#define LIST_POISON1 ((void *)0xdead000000000100ul)
#define LIST_POISON2 ((void *)0xdead000000000122ul)

#endif /* LINUX_POISON_H */

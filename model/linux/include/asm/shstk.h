/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: asm/shstk.h - whether the task has a shadow stack.
 *
 * Leaves out the stack: what would have to be written to it is not done for such
 * a task. Context: the task itself.
 */
#ifndef ASM_SHSTK_H
#define ASM_SHSTK_H

#include <linux/sched.h>

#define ARCH_SHSTK_SHSTK 1ul

static inline bool shstk_is_enabled(void)
{
	return current->thread.features & ARCH_SHSTK_SHSTK;
}

#endif /* ASM_SHSTK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: asm/ptrace.h - user registers.
 *
 * struct pt_regs comes from arch.h and holds the registers of either
 * architecture; the accessors ask the table of the current task's mm. Leaves out
 * segment tricks and the kernel's own registers: user_mode is always true.
 *
 * 	function			lock	sleeps	scheduling point
 * 	instruction_pointer[_set]	none	no	no
 * 	user_stack_pointer		none	no	no
 * 	regs_return_value		none	no	no
 * Context of all: the task that the registers belong to.
 */
#ifndef ASM_PTRACE_H
#define ASM_PTRACE_H

#include <arch.h>
#include <linux/types.h>

unsigned long instruction_pointer(const struct pt_regs *regs);
void instruction_pointer_set(struct pt_regs *regs, unsigned long ip);
unsigned long user_stack_pointer(const struct pt_regs *regs);
unsigned long regs_return_value(const struct pt_regs *regs);

#define user_mode(regs) ((void)(regs), true)
#define user_64bit_mode(regs) ((void)(regs), true)

#endif /* ASM_PTRACE_H */

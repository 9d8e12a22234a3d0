/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: asm/processor.h - what a task's thread_struct keeps, cpu_relax.
 *
 * Leaves out the processor. trap_nr is owned by the task itself. Context: any.
 */
#ifndef ASM_PROCESSOR_H
#define ASM_PROCESSOR_H

#include <sim/access.h>

struct thread_struct {
	unsigned long trap_nr;
	unsigned long error_code;
	unsigned long features; /* see asm/shstk.h */
};

#define X86_TRAP_DB 1
#define X86_TRAP_BP 3
#define X86_TRAP_UD 6
#define X86_TRAP_PF 14
#define TASK_SIZE 0x7ffffffff000ul

#endif /* ASM_PROCESSOR_H */

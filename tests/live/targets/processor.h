/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * processor.h - what targets need of the processor: bodies of functions whose
 * first instruction is known, and what a signal handler finds of the registers.
 */
#ifndef TESTS_LIVE_PROCESSOR_H
#define TESTS_LIVE_PROCESSOR_H

#include <signal.h>
#include <ucontext.h>

/*
 * What is done often, to meet by chance what is rare, is done so many times less
 * on an emulated processor.
 */
#ifdef __x86_64__
#define SLOWER 1
#else
#define SLOWER 100
#endif

#ifdef __x86_64__

/*
 * The sum of two arguments; the argument plus one in several ways, twice, or what
 * another function makes of it plus one.
 */
#define ASM_ADD "lea (%rdi,%rsi),%rax\n ret"
#define ASM_PUSH "push %rbp\n lea 1(%rdi),%rax\n pop %rbp\n ret"
#define ASM_JUMP "jmp 1f\n int3\n int3\n 1: lea 1(%rdi),%rax\n ret"
#define ASM_ONE_MORE "lea 1(%rdi),%rax\n ret"
#define ASM_TWICE "lea (%rdi,%rdi),%rax\n ret"
#define ASM_ONE_MORE_OF(name) "inc %rdi\n jmp " #name
/* What the argument points to; the argument itself. */
#define ASM_LOAD "mov (%rdi),%rax\n ret"
#define ASM_MOVE "mov %rdi,%rax\n ret"
/* Calls itself until there is no stack. */
#define ASM_DEEP(name) "pushf\n call " #name "\n ret"
/* No instruction, and its length. */
#define ASM_BAD "ud2\n ret"
#define BAD_BYTES 2
/* A breakpoint; what of it is behind ip in its trap; its code. */
#define ASM_BREAK "int3"
#define BREAK_BYTES        \
	{                  \
		0xcc, 0xc3 \
	} /* and a return */
#define BREAK_BEFORE 1
#define BREAK_BEHIND 0
#define BREAK_CODE SI_KERNEL

static inline void relax(void)
{
	__builtin_ia32_pause();
}

static inline unsigned long *context_ip(void *context)
{
	return (unsigned long *)&((ucontext_t *)context)
		->uc_mcontext.gregs[REG_RIP];
}

static inline unsigned long *context_arg(void *context)
{
	return (unsigned long *)&((ucontext_t *)context)
		->uc_mcontext.gregs[REG_RDI];
}

static inline unsigned long *context_second(void *context)
{
	return (unsigned long *)&((ucontext_t *)context)
		->uc_mcontext.gregs[REG_RSI];
}

#else

#define ASM_ADD "add x0, x0, x1\n ret"
#define ASM_PUSH \
	"str x29, [sp, #-16]!\n add x0, x0, #1\n ldr x29, [sp], #16\n ret"
#define ASM_JUMP "b 1f\n brk #5\n 1: add x0, x0, #1\n ret"
#define ASM_ONE_MORE "add x0, x0, #1\n ret"
#define ASM_TWICE "add x0, x0, x0\n ret"
#define ASM_ONE_MORE_OF(name) "add x0, x0, #1\n b " #name
#define ASM_LOAD "ldr x0, [x0]\n ret"
#define ASM_MOVE "orr x0, x0, xzr\n ret"
#define ASM_DEEP(name) \
	"str x30, [sp, #-16]!\n sub sp, sp, #2032\n bl " #name "\n ret"
#define ASM_BAD ".inst 0\n ret"
#define BAD_BYTES 4
#define ASM_BREAK "brk #5"
#define BREAK_BYTES                                            \
	{                                                      \
		0xa0, 0x00, 0x20, 0xd4, 0xc0, 0x03, 0x5f, 0xd6 \
	}
#define BREAK_BEFORE 0
#define BREAK_BEHIND 4
#define BREAK_CODE TRAP_BRKPT

static inline void relax(void)
{
	__asm__ volatile("yield");
}

static inline unsigned long *context_ip(void *context)
{
	return (unsigned long *)&((ucontext_t *)context)->uc_mcontext.pc;
}

static inline unsigned long *context_arg(void *context)
{
	return (unsigned long *)&((ucontext_t *)context)->uc_mcontext.regs[0];
}

static inline unsigned long *context_second(void *context)
{
	return (unsigned long *)&((ucontext_t *)context)->uc_mcontext.regs[1];
}

#endif

#endif /* TESTS_LIVE_PROCESSOR_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * fiber.c - the switch, and how a new stack is made to look like a saved one.
 *
 * The switch is file-level assembly: a naked C function would still be open to
 * the compiler's inter-procedural register allocation.
 */
#include "fiber.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void fiber_switch_asm(void **save, void *to);
void fiber_start_asm(void);

#if defined(__x86_64__)
__asm__(".text\n"
	".globl fiber_switch_asm\n"
	".hidden fiber_switch_asm\n"
	".type fiber_switch_asm,@function\n"
	"fiber_switch_asm:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp,(%rdi)\n"
	"	movq %rsi,%rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size fiber_switch_asm,.-fiber_switch_asm\n"
	/* First entry: r12 = fn, r13 = arg; the stack is 16-byte aligned. */
	".globl fiber_start_asm\n"
	".hidden fiber_start_asm\n"
	".type fiber_start_asm,@function\n"
	"fiber_start_asm:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	movq %r13,%rdi\n"
	"	callq *%r12\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size fiber_start_asm,.-fiber_start_asm\n");

/* Saved frame, lowest first: r15 r14 r13 r12 rbx rbp, return address. */
static void *first_frame(uintptr_t top, void (*fn)(void *), void *arg)
{
	uintptr_t *sp = (uintptr_t *)(top & ~(uintptr_t)15);

	*--sp = 0;
	*--sp = 0;
	*--sp = (uintptr_t)fiber_start_asm;
	*--sp = 0;
	*--sp = 0;
	*--sp = (uintptr_t)fn;
	*--sp = (uintptr_t)arg;
	*--sp = 0;
	*--sp = 0;
	return sp;
}
#else
#error "fibres: no switch for this architecture yet"
#endif

void fiber_init(struct fiber *f, void *stack, size_t size,
		void (*fn)(void *arg), void *arg)
{
	f->stack = stack;
	f->size = size;
	f->sp = first_frame((uintptr_t)stack + size, fn, arg);
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
	fiber_switch_asm(&from->sp, to->sp);
}

void *fiber_stack_alloc(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (mprotect(p, page, PROT_NONE)) {
		munmap(p, size + page);
		return NULL;
	}
	return p + page;
}

void fiber_stack_free(void *stack, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap((char *)stack - page, size + page);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * fiber.c - the switch, and how a new stack is made to look like a saved one.
 *
 * The switch is file-level assembly: a naked C function would still be open to
 * the compiler's inter-procedural register allocation.
 */
#include "fiber.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fiber_switch_asm(void **save, void *to);
void fiber_start_asm(void);
void fiber_first(void (*fn)(void *), void *arg);

#ifndef __has_feature
#define __has_feature(x) 0
#endif

/*
 * AddressSanitizer keeps the bounds of the running stack, and marks on it what
 * is no variable. The first context's stack is known to nobody until it has been
 * left: whoever is switched to learns the bounds of the one before.
 */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

static struct fiber *previous;

static void leave(struct fiber *from, const struct fiber *to)
{
	previous = from;
	__sanitizer_start_switch_fiber(&from->fake, to->stack, to->size);
}

static void arrive(void *fake)
{
	__sanitizer_finish_switch_fiber(fake, &previous->stack,
					&previous->size);
}

/* What a fibre that was abandoned has left there. */
static void forget_marks(const void *stack, size_t size)
{
	__asan_unpoison_memory_region(stack, size);
}
#else
static void leave(struct fiber *from, const struct fiber *to)
{
}

static void arrive(void *fake)
{
}

static void forget_marks(const void *stack, size_t size)
{
}
#endif

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
	"	movq %r12,%rdi\n"
	"	movq %r13,%rsi\n"
	"	callq fiber_first\n"
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
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl fiber_switch_asm\n"
	".hidden fiber_switch_asm\n"
	".type fiber_switch_asm,@function\n"
	"fiber_switch_asm:\n"
	"	stp x19, x20, [sp, #-160]!\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	ldp x19, x20, [sp], #160\n"
	"	ret\n"
	".size fiber_switch_asm,.-fiber_switch_asm\n"
	/* First entry: x19 = fn, x20 = arg. */
	".globl fiber_start_asm\n"
	".hidden fiber_start_asm\n"
	".type fiber_start_asm,@function\n"
	"fiber_start_asm:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined x30\n"
	"	mov x0, x19\n"
	"	mov x1, x20\n"
	"	bl fiber_first\n"
	"	brk #1\n"
	"	.cfi_endproc\n"
	".size fiber_start_asm,.-fiber_start_asm\n");

/* Saved frame, lowest first: x19 .. x30, d8 .. d15. */
static void *first_frame(uintptr_t top, void (*fn)(void *), void *arg)
{
	uintptr_t *sp = (uintptr_t *)(top & ~(uintptr_t)15) - 20;

	memset(sp, 0, 20 * sizeof(*sp));
	sp[0] = (uintptr_t)fn;
	sp[1] = (uintptr_t)arg;
	sp[11] = (uintptr_t)fiber_start_asm;
	return sp;
}
#else
#error "fibres: no switch for this architecture yet"
#endif

void fiber_init(struct fiber *f, void *stack, size_t size,
		void (*fn)(void *arg), void *arg)
{
	forget_marks(stack, size);
	f->stack = stack;
	f->size = size;
	f->fake = NULL;
	f->sp = first_frame((uintptr_t)stack + size, fn, arg);
}

/* Called by fiber_start_asm. */
void fiber_first(void (*fn)(void *), void *arg)
{
	arrive(NULL);
	fn(arg);
	__builtin_trap();
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
	leave(from, to);
	fiber_switch_asm(&from->sp, to->sp);
	arrive(from->fake);
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

void fiber_stack_free(const void *stack, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	forget_marks(stack, size);
	munmap((char *)stack - page, size + page);
}

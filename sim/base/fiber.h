/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fiber.h - cooperative fibres: a stack and a saved stack pointer each.
 *
 * Used by every world. All fibres of a program share one OS thread. A switch
 * saves callee-saved registers only and makes no system call. AddressSanitizer,
 * if the program is built with it, is told of every switch.
 */
#ifndef SIM_BASE_FIBER_H
#define SIM_BASE_FIBER_H

#include <stddef.h>

struct fiber {
	void *sp;	   /* saved stack pointer while not running */
	const void *stack; /* lowest address; owned by the caller */
	size_t size;	   /* bytes */
	void *fake;	   /* AddressSanitizer's, while not running */
};

/*
 * Prepare f to call fn(arg) on [stack, stack+size) when first switched to.
 * fn must not return. size >= 4096; stack needs no alignment.
 */
void fiber_init(struct fiber *f, void *stack, size_t size,
		void (*fn)(void *arg), void *arg);

/* Suspend the running context into *from and continue *to. */
void fiber_switch(struct fiber *from, struct fiber *to);

/*
 * Map a stack of at least size bytes with an inaccessible guard page below.
 * Returns its lowest usable address, or NULL with errno set. Never freed by
 * the library; release with fiber_stack_free and the same size.
 */
void *fiber_stack_alloc(size_t size);
void fiber_stack_free(const void *stack, size_t size);

#endif /* SIM_BASE_FIBER_H */

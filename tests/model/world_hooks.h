/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * world_hooks.h - what instrumented code asked of the world last.
 *
 * Beside world_plain.c, for tests of the instrumented build: every hook does
 * at once what it is asked, and remembers what that was.
 */
#ifndef TESTS_MODEL_WORLD_HOOKS_H
#define TESTS_MODEL_WORLD_HOOKS_H

struct world_hook {
	enum {
		HOOK_NONE,
		HOOK_LOAD,
		HOOK_STORE,
		HOOK_RMW,
		HOOK_FENCE,
		HOOK_AWAIT
	} kind;
	int size;  /* bytes */
	int op;	   /* enum sim_rmw, or enum sim_fence */
	int order; /* enum sim_order */
	unsigned long operand, expected;
	unsigned int watched; /* *world_watch at that moment, if set */
};
extern struct world_hook world_last;
extern const unsigned int *world_watch;

/* Accesses that the compiler reported since the last call of the same name. */
int world_plain(void);
int world_volatile(void);

#endif /* TESTS_MODEL_WORLD_HOOKS_H */

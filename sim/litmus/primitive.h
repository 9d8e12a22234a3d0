/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * primitive.h - what a litmus test may call, by the kernel's names.
 */
#ifndef SIM_LITMUS_PRIMITIVE_H
#define SIM_LITMUS_PRIMITIVE_H

#include "world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum primitive_act {
	ACT_NOTHING, /* of interest to compilers only */
	ACT_LOAD,
	ACT_STORE,
	ACT_STORE_MB,
	ACT_RMW,
	ACT_FENCE,
	ACT_SPIN_LOCK,
	ACT_SPIN_TRYLOCK,
	ACT_SPIN_UNLOCK,
	ACT_SPIN_IS_LOCKED,
	ACT_RCU_LOCK,
	ACT_RCU_UNLOCK,
	ACT_RCU_SYNC,
	ACT_SRCU_LOCK,
	ACT_SRCU_UNLOCK,
	ACT_SRCU_SYNC,
};

enum primitive_result {
	RES_NONE,
	RES_OLD,
	RES_NEW,
	RES_NEW_IS_ZERO,
	RES_NEW_IS_NEGATIVE,
	RES_WROTE, /* of a conditional RMW */
};

struct primitive {
	const char *name;
	/*
	 * One letter per argument: '*' a word as *x, 'p' a word as x, 'l' a
	 * spin lock, 's' an SRCU domain, 'v' a value.
	 */
	const char *args;
	enum primitive_act act;
	enum primitive_result result;
	enum sim_order order;
	bool suffixes; /* also with _relaxed, _acquire, _release */
	enum sim_rmw rmw;
	/* of an RMW's operand, which is 1 without a value */
	int sign;
	enum sim_fence fence;
};

/*
 * The primitive of that name (len bytes), with the order that it or its suffix
 * says; NULL if there is none.
 */
const struct primitive *primitive_find(const char *name, size_t len,
				       enum sim_order *order);
/* The known name that looks most like it, or NULL if none does. */
const char *primitive_near(const char *name, size_t len);

#endif /* SIM_LITMUS_PRIMITIVE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/minmax.h - smaller and larger of two, each evaluated once.
 *
 * Leaves out constant expressions and the check that signs agree. Context: any,
 * pure.
 */
#ifndef LINUX_MINMAX_H
#define LINUX_MINMAX_H

#include <linux/compiler.h>

#define sim_pick(type_a, type_b, a, b, op) \
	sim_pick_once(type_a, type_b, a, b, op, __UNIQUE_ID(x), __UNIQUE_ID(y))
#define sim_pick_once(type_a, type_b, a, b, op, ua, ub) \
	({                                              \
		type_a ua = (a);                        \
		type_b ub = (b);                        \
		ua op ub ? ua : ub;                     \
	})

#define min(a, b) sim_pick(__typeof__(a), __typeof__(b), a, b, <)
#define max(a, b) sim_pick(__typeof__(a), __typeof__(b), a, b, >)
#define min_t(type, a, b) sim_pick(type, type, (type)(a), (type)(b), <)
#define max_t(type, a, b) sim_pick(type, type, (type)(a), (type)(b), >)
#define clamp(val, lo, hi) min(max(val, lo), hi)
#define swap(a, b)                           \
	do {                                 \
		__typeof__(a) sim_tmp = (a); \
		(a) = (b);                   \
		(b) = sim_tmp;               \
	} while (0)

#endif /* LINUX_MINMAX_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: asm/cmpxchg.h - exchange and compare-and-exchange.
 *
 * 	function			order
 * 	xchg, cmpxchg, try_cmpxchg	full, of a failed exchange none
 * 	*_acquire, *_release, *_relaxed	as they say
 * Context of all: any. Locks: none. Sleeps: no. Scheduling point: each, in the
 * instrumented build.
 */
#ifndef ASM_CMPXCHG_H
#define ASM_CMPXCHG_H

#include <sim/access.h>

#define xchg(p, v) sim_xchg(p, v, SIM_FULL)
#define xchg_acquire(p, v) sim_xchg(p, v, SIM_ACQUIRE)
#define xchg_release(p, v) sim_xchg(p, v, SIM_RELEASE)
#define xchg_relaxed(p, v) sim_xchg(p, v, SIM_RELAXED)

#define cmpxchg(p, old, v) sim_cmpxchg(p, old, v, SIM_FULL)
#define cmpxchg_acquire(p, old, v) sim_cmpxchg(p, old, v, SIM_ACQUIRE)
#define cmpxchg_release(p, old, v) sim_cmpxchg(p, old, v, SIM_RELEASE)
#define cmpxchg_relaxed(p, old, v) sim_cmpxchg(p, old, v, SIM_RELAXED)

/* *oldp becomes what was found if that is not what was expected. */
#define sim_try(p, oldp, v, order) \
	sim_try_once(p, oldp, v, order, __UNIQUE_ID(where), __UNIQUE_ID(found))
#define sim_try_once(p, oldp, v, order, where, seen)                      \
	({                                                                \
		__typeof__(oldp) where = (oldp);                          \
		sim_unqual(*(p)) seen = sim_cmpxchg(p, *where, v, order); \
		bool sim_ok = seen == *where;                             \
		if (!sim_ok)                                              \
			*where = seen;                                    \
		likely(sim_ok);                                           \
	})
#define try_cmpxchg(p, oldp, v) sim_try(p, oldp, v, SIM_FULL)
#define try_cmpxchg_acquire(p, oldp, v) sim_try(p, oldp, v, SIM_ACQUIRE)
#define try_cmpxchg_release(p, oldp, v) sim_try(p, oldp, v, SIM_RELEASE)
#define try_cmpxchg_relaxed(p, oldp, v) sim_try(p, oldp, v, SIM_RELAXED)

#endif /* ASM_CMPXCHG_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: asm/barrier.h - memory barriers and ordered accesses.
 *
 * 	function			order
 * 	smp_mb, smp_rmb, smp_wmb	full, reads, writes
 * 	smp_mb__{before,after}_atomic	full, beside an unordered atomic
 * 	smp_load_acquire		acquire
 * 	smp_store_release		release
 * 	smp_store_mb			a store, then smp_mb
 * 	smp_cond_load_relaxed, _acquire	of the read that ends the wait
 * Context of all: any. Locks: none. Sleeps: no; smp_cond_load_* spins until its
 * condition holds of VAL, which it returns. Scheduling point: each, in the
 * instrumented build.
 */
#ifndef ASM_BARRIER_H
#define ASM_BARRIER_H

#include <sim/access.h>

#define smp_mb() sim_barrier(SIM_MB)
#define smp_rmb() sim_barrier(SIM_RMB)
#define smp_wmb() sim_barrier(SIM_WMB)
#define smp_mb__before_atomic() sim_barrier(SIM_MB_ATOMIC)
#define smp_mb__after_atomic() sim_barrier(SIM_MB_ATOMIC)
#define smp_mb__after_spinlock() sim_barrier(SIM_MB)

#define smp_load_acquire(p) sim_read(p, SIM_ACQUIRE)
#define smp_store_release(p, v) sim_write(p, v, SIM_RELEASE)
#define smp_store_mb(var, value)          \
	do {                              \
		WRITE_ONCE(var, (value)); \
		smp_mb();                 \
	} while (0)

#define sim_cond_load(p, condition, order)                     \
	({                                                     \
		sim_unqual(*(p)) VAL;                          \
		while (VAL = sim_read(p, order), !(condition)) \
			cpu_relax();                           \
		VAL;                                           \
	})
#define smp_cond_load_relaxed(p, condition) \
	sim_cond_load(p, condition, SIM_RELAXED)
#define smp_cond_load_acquire(p, condition) \
	sim_cond_load(p, condition, SIM_ACQUIRE)

#endif /* ASM_BARRIER_H */

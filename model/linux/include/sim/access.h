/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/access.h - one place for "plain or instrumented": atomic accesses.
 *
 * Not the kernel's: the kernel's names are built on these in asm/barrier.h,
 * linux/atomic.h and linux/bitops.h. p points to an integer or a pointer of 1,
 * 2, 4 or 8 bytes. The plain build performs the access with the compiler's
 * atomics; the instrumented one calls the world's hook, which carries the
 * order as the kernel means it (C11 has no name for some of them).
 *
 * Context: any. Locks: none. Sleeps: no. Scheduling point: each one, in the
 * instrumented build.
 */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include <linux/compiler.h>
#include <sim/world.h>

/*
 * Kernel order of a read-modify-write to the compiler's. A failed cmpxchg has
 * no order in the kernel; asking for more is harmless in the plain build.
 */
#define sim_c11(order)                               \
	((order) == SIM_RELAXED	  ? __ATOMIC_RELAXED \
	 : (order) == SIM_ACQUIRE ? __ATOMIC_ACQUIRE \
	 : (order) == SIM_ADDRESS ? __ATOMIC_CONSUME \
	 : (order) == SIM_RELEASE ? __ATOMIC_RELEASE \
				  : __ATOMIC_SEQ_CST)

#ifdef SIM_EXPLORE

/* The hooks want values extended with zeros. */
#define sim_bits(p, v)        \
	((unsigned long)(v) & \
	 (~0ul >> (8 * (sizeof(unsigned long) - sizeof(*(p))))))
#define sim_hook(p, op, v, expected, order)                             \
	((sim_unqual(*(p)))sim_rmw(p, sizeof(*(p)), op, sim_bits(p, v), \
				   sim_bits(p, expected), order))

#define sim_read(p, order) ((sim_unqual(*(p)))sim_load(p, sizeof(*(p)), order))
#define sim_write(p, v, order) sim_store(p, sizeof(*(p)), sim_bits(p, v), order)
#define sim_xchg(p, v, order) sim_hook(p, SIM_XCHG, v, 0, order)
#define sim_fetch_add(p, v, order) sim_hook(p, SIM_ADD, v, 0, order)
#define sim_fetch_and(p, v, order) sim_hook(p, SIM_AND, v, 0, order)
#define sim_fetch_or(p, v, order) sim_hook(p, SIM_OR, v, 0, order)
#define sim_fetch_xor(p, v, order) sim_hook(p, SIM_XOR, v, 0, order)
#define sim_cmpxchg(p, old, v, order) sim_hook(p, SIM_CMPXCHG, v, old, order)
/* Returns the old value; nothing is added if that is u. */
#define sim_add_unless(p, v, u, order) sim_hook(p, SIM_ADD_UNLESS, v, u, order)
#define sim_barrier(kind) sim_fence(kind)

/* Loops that wait for a word become one event: they have no bound. */
#define sim_wait_mask(p, bits, value, order) \
	((sim_unqual(*(p)))sim_await(        \
		p, sizeof(*(p)),             \
		&(struct sim_cond){ .mask = (bits), .want = (value) }, order))

#else

#define sim_read(p, order) __atomic_load_n(p, sim_c11(order))
#define sim_write(p, v, order) __atomic_store_n(p, v, sim_c11(order))
#define sim_xchg(p, v, order) __atomic_exchange_n(p, v, sim_c11(order))
#define sim_fetch_add(p, v, order) __atomic_fetch_add(p, v, sim_c11(order))
#define sim_fetch_and(p, v, order) __atomic_fetch_and(p, v, sim_c11(order))
#define sim_fetch_or(p, v, order) __atomic_fetch_or(p, v, sim_c11(order))
#define sim_fetch_xor(p, v, order) __atomic_fetch_xor(p, v, sim_c11(order))
#define sim_cmpxchg(p, old, v, order) \
	sim_cmpxchg_once(p, old, v, order, __UNIQUE_ID(found))
#define sim_cmpxchg_once(p, o, v, order, seen)                                 \
	({                                                                     \
		sim_unqual(*(p)) seen = (o);                                   \
		__atomic_compare_exchange_n(p, &seen, v, false,                \
					    sim_c11(order), __ATOMIC_RELAXED); \
		seen;                                                          \
	})
#define sim_add_unless(p, v, u, order) \
	sim_add_unless_once(p, v, u, order, __UNIQUE_ID(found))
#define sim_add_unless_once(p, v, u, order, old)                               \
	({                                                                     \
		sim_unqual(*(p)) old = sim_read(p, SIM_RELAXED);               \
		while (old != (u) &&                                           \
		       !__atomic_compare_exchange_n(p, &old, old + (v), false, \
						    sim_c11(order),            \
						    __ATOMIC_RELAXED))         \
			;                                                      \
		old;                                                           \
	})
#define sim_barrier(kind)                                            \
	__atomic_thread_fence((kind) == SIM_WMB	  ? __ATOMIC_RELEASE \
			      : (kind) == SIM_RMB ? __ATOMIC_ACQUIRE \
						  : __ATOMIC_SEQ_CST)
#define sim_wait_mask(p, bits, value, order) \
	sim_wait_mask_once(p, bits, value, order, __UNIQUE_ID(seen))
#define sim_wait_mask_once(p, bits, value, order, seen)                   \
	({                                                                \
		sim_unqual(*(p)) seen;                                    \
		while (((seen = sim_read(p, order)) & (bits)) != (value)) \
			cpu_relax();                                      \
		seen;                                                     \
	})

#endif /* SIM_EXPLORE */

#if defined(__x86_64__)
#define cpu_relax() __builtin_ia32_pause()
#else
#define cpu_relax() barrier()
#endif

#endif /* SIM_ACCESS_H */

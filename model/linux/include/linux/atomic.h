/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/atomic.h - atomic counters.
 *
 * 	function			order
 * 	atomic_read, atomic_set		none: a volatile access
 * 	atomic_add, inc, or, ..		none: nothing is returned
 * 	atomic_add_return, xchg, ..	full, of a failed exchange none
 * 	*_acquire, *_release, *_relaxed	as they say
 * Context of all: any. Locks: none. Sleeps: no. Scheduling point: each, in the
 * instrumented build. Leaves out the rarer combinations of operation and order.
 */
#ifndef LINUX_ATOMIC_H
#define LINUX_ATOMIC_H

#include <asm/barrier.h>
#include <asm/cmpxchg.h>
#include <linux/types.h>

static __always_inline int atomic_read(const atomic_t *v)
{
	return READ_ONCE(v->counter);
}

static __always_inline void atomic_set(atomic_t *v, int i)
{
	WRITE_ONCE(v->counter, i);
}

static __always_inline int atomic_read_acquire(const atomic_t *v)
{
	return smp_load_acquire(&v->counter);
}

static __always_inline void atomic_set_release(atomic_t *v, int i)
{
	smp_store_release(&v->counter, i);
}

static __always_inline void atomic_add(int i, atomic_t *v)
{
	(void)sim_fetch_add(&v->counter, i, SIM_RELAXED);
}

static __always_inline void atomic_sub(int i, atomic_t *v)
{
	(void)sim_fetch_add(&v->counter, -i, SIM_RELAXED);
}

static __always_inline void atomic_inc(atomic_t *v)
{
	(void)sim_fetch_add(&v->counter, 1, SIM_RELAXED);
}

static __always_inline void atomic_dec(atomic_t *v)
{
	(void)sim_fetch_add(&v->counter, -1, SIM_RELAXED);
}

static __always_inline void atomic_or(int i, atomic_t *v)
{
	(void)sim_fetch_or(&v->counter, i, SIM_RELAXED);
}

static __always_inline void atomic_and(int i, atomic_t *v)
{
	(void)sim_fetch_and(&v->counter, i, SIM_RELAXED);
}

static __always_inline int atomic_add_return(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_FULL) + i;
}

static __always_inline int atomic_sub_return(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_FULL) - i;
}

static __always_inline int atomic_inc_return(atomic_t *v)
{
	return sim_fetch_add(&v->counter, 1, SIM_FULL) + 1;
}

static __always_inline int atomic_dec_return(atomic_t *v)
{
	return sim_fetch_add(&v->counter, -1, SIM_FULL) - 1;
}

static __always_inline int atomic_fetch_add(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_FULL);
}

static __always_inline int atomic_fetch_add_acquire(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_ACQUIRE);
}

static __always_inline int atomic_fetch_add_release(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_RELEASE);
}

static __always_inline int atomic_fetch_add_relaxed(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_RELAXED);
}

static __always_inline int atomic_fetch_sub(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_FULL);
}

static __always_inline int atomic_fetch_sub_acquire(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_ACQUIRE);
}

static __always_inline int atomic_fetch_sub_release(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_RELEASE);
}

static __always_inline int atomic_fetch_sub_relaxed(int i, atomic_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_RELAXED);
}

static __always_inline bool atomic_inc_and_test(atomic_t *v)
{
	return atomic_inc_return(v) == 0;
}

static __always_inline bool atomic_dec_and_test(atomic_t *v)
{
	return atomic_dec_return(v) == 0;
}

static __always_inline bool atomic_sub_and_test(int i, atomic_t *v)
{
	return atomic_sub_return(i, v) == 0;
}

static __always_inline int atomic_xchg(atomic_t *v, int n)
{
	return sim_xchg(&v->counter, n, SIM_FULL);
}

static __always_inline int atomic_cmpxchg(atomic_t *v, int old, int n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_FULL);
}

static __always_inline bool atomic_try_cmpxchg(atomic_t *v, int *old, int n)
{
	return sim_try(&v->counter, old, n, SIM_FULL);
}

static __always_inline int atomic_xchg_acquire(atomic_t *v, int n)
{
	return sim_xchg(&v->counter, n, SIM_ACQUIRE);
}

static __always_inline int atomic_cmpxchg_acquire(atomic_t *v, int old, int n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_ACQUIRE);
}

static __always_inline bool atomic_try_cmpxchg_acquire(atomic_t *v, int *old,
						       int n)
{
	return sim_try(&v->counter, old, n, SIM_ACQUIRE);
}

static __always_inline int atomic_xchg_release(atomic_t *v, int n)
{
	return sim_xchg(&v->counter, n, SIM_RELEASE);
}

static __always_inline int atomic_cmpxchg_release(atomic_t *v, int old, int n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_RELEASE);
}

static __always_inline bool atomic_try_cmpxchg_release(atomic_t *v, int *old,
						       int n)
{
	return sim_try(&v->counter, old, n, SIM_RELEASE);
}

static __always_inline int atomic_xchg_relaxed(atomic_t *v, int n)
{
	return sim_xchg(&v->counter, n, SIM_RELAXED);
}

static __always_inline int atomic_cmpxchg_relaxed(atomic_t *v, int old, int n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_RELAXED);
}

static __always_inline bool atomic_try_cmpxchg_relaxed(atomic_t *v, int *old,
						       int n)
{
	return sim_try(&v->counter, old, n, SIM_RELAXED);
}

static __always_inline bool atomic_add_unless(atomic_t *v, int a, int u)
{
	return sim_add_unless(&v->counter, a, u, SIM_FULL) != u;
}

static __always_inline bool atomic_inc_not_zero(atomic_t *v)
{
	return atomic_add_unless(v, 1, 0);
}

static __always_inline s64 atomic64_read(const atomic64_t *v)
{
	return READ_ONCE(v->counter);
}

static __always_inline void atomic64_set(atomic64_t *v, s64 i)
{
	WRITE_ONCE(v->counter, i);
}

static __always_inline s64 atomic64_read_acquire(const atomic64_t *v)
{
	return smp_load_acquire(&v->counter);
}

static __always_inline void atomic64_set_release(atomic64_t *v, s64 i)
{
	smp_store_release(&v->counter, i);
}

static __always_inline void atomic64_add(s64 i, atomic64_t *v)
{
	(void)sim_fetch_add(&v->counter, i, SIM_RELAXED);
}

static __always_inline void atomic64_sub(s64 i, atomic64_t *v)
{
	(void)sim_fetch_add(&v->counter, -i, SIM_RELAXED);
}

static __always_inline void atomic64_inc(atomic64_t *v)
{
	(void)sim_fetch_add(&v->counter, 1, SIM_RELAXED);
}

static __always_inline void atomic64_dec(atomic64_t *v)
{
	(void)sim_fetch_add(&v->counter, -1, SIM_RELAXED);
}

static __always_inline void atomic64_or(s64 i, atomic64_t *v)
{
	(void)sim_fetch_or(&v->counter, i, SIM_RELAXED);
}

static __always_inline void atomic64_and(s64 i, atomic64_t *v)
{
	(void)sim_fetch_and(&v->counter, i, SIM_RELAXED);
}

static __always_inline s64 atomic64_add_return(s64 i, atomic64_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_FULL) + i;
}

static __always_inline s64 atomic64_sub_return(s64 i, atomic64_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_FULL) - i;
}

static __always_inline s64 atomic64_inc_return(atomic64_t *v)
{
	return sim_fetch_add(&v->counter, 1, SIM_FULL) + 1;
}

static __always_inline s64 atomic64_dec_return(atomic64_t *v)
{
	return sim_fetch_add(&v->counter, -1, SIM_FULL) - 1;
}

static __always_inline s64 atomic64_fetch_add(s64 i, atomic64_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_FULL);
}

static __always_inline s64 atomic64_fetch_add_relaxed(s64 i, atomic64_t *v)
{
	return sim_fetch_add(&v->counter, i, SIM_RELAXED);
}

static __always_inline s64 atomic64_fetch_sub_release(s64 i, atomic64_t *v)
{
	return sim_fetch_add(&v->counter, -i, SIM_RELEASE);
}

static __always_inline bool atomic64_inc_and_test(atomic64_t *v)
{
	return atomic64_inc_return(v) == 0;
}

static __always_inline bool atomic64_dec_and_test(atomic64_t *v)
{
	return atomic64_dec_return(v) == 0;
}

static __always_inline bool atomic64_sub_and_test(s64 i, atomic64_t *v)
{
	return atomic64_sub_return(i, v) == 0;
}

static __always_inline s64 atomic64_xchg(atomic64_t *v, s64 n)
{
	return sim_xchg(&v->counter, n, SIM_FULL);
}

static __always_inline s64 atomic64_cmpxchg(atomic64_t *v, s64 old, s64 n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_FULL);
}

static __always_inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 n)
{
	return sim_try(&v->counter, old, n, SIM_FULL);
}

static __always_inline s64 atomic64_xchg_acquire(atomic64_t *v, s64 n)
{
	return sim_xchg(&v->counter, n, SIM_ACQUIRE);
}

static __always_inline s64 atomic64_cmpxchg_acquire(atomic64_t *v, s64 old,
						    s64 n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_ACQUIRE);
}

static __always_inline bool atomic64_try_cmpxchg_acquire(atomic64_t *v,
							 s64 *old, s64 n)
{
	return sim_try(&v->counter, old, n, SIM_ACQUIRE);
}

static __always_inline s64 atomic64_xchg_release(atomic64_t *v, s64 n)
{
	return sim_xchg(&v->counter, n, SIM_RELEASE);
}

static __always_inline s64 atomic64_cmpxchg_release(atomic64_t *v, s64 old,
						    s64 n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_RELEASE);
}

static __always_inline bool atomic64_try_cmpxchg_release(atomic64_t *v,
							 s64 *old, s64 n)
{
	return sim_try(&v->counter, old, n, SIM_RELEASE);
}

static __always_inline s64 atomic64_xchg_relaxed(atomic64_t *v, s64 n)
{
	return sim_xchg(&v->counter, n, SIM_RELAXED);
}

static __always_inline s64 atomic64_cmpxchg_relaxed(atomic64_t *v, s64 old,
						    s64 n)
{
	return sim_cmpxchg(&v->counter, old, n, SIM_RELAXED);
}

static __always_inline bool atomic64_try_cmpxchg_relaxed(atomic64_t *v,
							 s64 *old, s64 n)
{
	return sim_try(&v->counter, old, n, SIM_RELAXED);
}

static __always_inline bool atomic64_add_unless(atomic64_t *v, s64 a, s64 u)
{
	return sim_add_unless(&v->counter, a, u, SIM_FULL) != u;
}

static __always_inline bool atomic64_inc_not_zero(atomic64_t *v)
{
	return atomic64_add_unless(v, 1, 0);
}

typedef atomic64_t atomic_long_t;
#define ATOMIC_LONG_INIT(i) ATOMIC64_INIT(i)
#define atomic_long_read(v) ((long)atomic64_read(v))
#define atomic_long_set(v, i) atomic64_set(v, i)
#define atomic_long_inc(v) atomic64_inc(v)
#define atomic_long_dec(v) atomic64_dec(v)

#endif /* LINUX_ATOMIC_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/refcount.h - reference counts that saturate.
 *
 * 	function			order
 * 	refcount_set, refcount_read	none: a volatile access
 * 	refcount_inc, refcount_add	none
 * 	refcount_inc_not_zero		none; fails at zero
 * 	refcount_dec_and_test		release; acquire if it returns true
 * 	refcount_dec			release
 * A count that leaves its range is pinned to REFCOUNT_SATURATED with a warning:
 * the object leaks, it is not freed under somebody's feet.
 *
 * Context of all: any. Locks: none. Sleeps: no. Scheduling point: each, in the
 * instrumented build. Leaves out the forms that take a lock with the last one.
 */
#ifndef LINUX_REFCOUNT_H
#define LINUX_REFCOUNT_H

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/limits.h>

typedef struct refcount_struct {
	atomic_t refs;
} refcount_t;

#define REFCOUNT_INIT(n)               \
	{                              \
		.refs = ATOMIC_INIT(n) \
	}
#define REFCOUNT_MAX INT_MAX
#define REFCOUNT_SATURATED (INT_MIN / 2)

static inline void refcount_set(refcount_t *r, int n)
{
	atomic_set(&r->refs, n);
}

static inline unsigned int refcount_read(const refcount_t *r)
{
	return (unsigned int)atomic_read(&r->refs);
}

static inline void sim_refcount_saturate(refcount_t *r, const char *what)
{
	refcount_set(r, REFCOUNT_SATURATED);
	sim_warn(what, __FILE__, __LINE__);
}

/* One conditional addition; the kernel's loop of cmpxchg ends the same. */
static inline bool refcount_add_not_zero(int i, refcount_t *r)
{
	int old = sim_add_unless(&r->refs.counter, i, 0, SIM_RELAXED);

	if (!old)
		return false;
	if (unlikely(old < 0 || (int)((unsigned int)old + (unsigned int)i) < 0))
		sim_refcount_saturate(r, "refcount_t: saturated");
	return true;
}

static inline bool refcount_inc_not_zero(refcount_t *r)
{
	return refcount_add_not_zero(1, r);
}

static inline void refcount_add(int i, refcount_t *r)
{
	int old = atomic_fetch_add_relaxed(i, &r->refs);

	if (unlikely(!old))
		sim_refcount_saturate(r, "refcount_t: increment from zero");
	else if (unlikely(old < 0 ||
			  (int)((unsigned int)old + (unsigned int)i) < 0))
		sim_refcount_saturate(r, "refcount_t: saturated");
}

static inline void refcount_inc(refcount_t *r)
{
	refcount_add(1, r);
}

static inline bool refcount_sub_and_test(int i, refcount_t *r)
{
	int old = atomic_fetch_sub_release(i, &r->refs);

	if (old == i) {
		sim_barrier(SIM_RMB);
		return true;
	}
	if (unlikely(old <= 0 || old < i))
		sim_refcount_saturate(r, "refcount_t: underflow");
	return false;
}

static inline bool refcount_dec_and_test(refcount_t *r)
{
	return refcount_sub_and_test(1, r);
}

static inline void refcount_dec(refcount_t *r)
{
	if (unlikely(atomic_fetch_sub_release(1, &r->refs) <= 1))
		sim_refcount_saturate(r, "refcount_t: decrement to zero");
}

#endif /* LINUX_REFCOUNT_H */

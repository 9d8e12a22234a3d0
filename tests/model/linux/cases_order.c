// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_order.c - instrumented build only: which access each primitive is, and
 * in which order. The orders are those of the kernel's memory-barriers.txt and
 * atomic_t.txt.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/seqlock.h>
#include <linux/string.h>
#include "fixture.h"
#include "../world_hooks.h"

#define IS_RMW(op_, order_)                                       \
	(world_last.kind == HOOK_RMW && world_last.op == (op_) && \
	 world_last.order == (order_))
#define IS(kind_, order_) \
	(world_last.kind == (kind_) && world_last.order == (order_))
#define IS_FENCE(kind_) \
	(world_last.kind == HOOK_FENCE && world_last.op == (kind_))

/* Only what returns a value orders anything. */
void case_order_atomic(void)
{
	atomic_t v = ATOMIC_INIT(0);
	int old = 5;

	atomic_inc(&v);
	BUG_ON(!IS_RMW(SIM_ADD, SIM_RELAXED) || world_last.size != 4);
	atomic_dec(&v);
	BUG_ON(!IS_RMW(SIM_ADD, SIM_RELAXED));
	BUG_ON(world_last.operand != 0xffffffff);
	BUG_ON(atomic_add_return(2, &v) != 2 || !IS_RMW(SIM_ADD, SIM_FULL));
	BUG_ON(atomic_xchg(&v, 5) != 2 || !IS_RMW(SIM_XCHG, SIM_FULL));
	BUG_ON(!atomic_try_cmpxchg(&v, &old, -3));
	BUG_ON(!IS_RMW(SIM_CMPXCHG, SIM_FULL));
	BUG_ON(atomic_cmpxchg_acquire(&v, -3, 1) != -3);
	BUG_ON(!IS_RMW(SIM_CMPXCHG, SIM_ACQUIRE));
	BUG_ON(world_last.expected != 0xfffffffd);
	BUG_ON(atomic_xchg_release(&v, 1) != 1);
	BUG_ON(!IS_RMW(SIM_XCHG, SIM_RELEASE));
	BUG_ON(!atomic_inc_not_zero(&v) || !IS_RMW(SIM_ADD_UNLESS, SIM_FULL));

	world_last.kind = HOOK_NONE;
	world_volatile();
	atomic_set(&v, atomic_read(&v) + 1);
	BUG_ON(world_volatile() != 2 || world_last.kind != HOOK_NONE);
}

void case_order_bits(void)
{
	unsigned long map = 0;

	set_bit(3, &map);
	BUG_ON(!IS_RMW(SIM_OR, SIM_RELAXED) || world_last.operand != 8);
	clear_bit(3, &map);
	BUG_ON(!IS_RMW(SIM_AND, SIM_RELAXED) || world_last.operand != ~8ul);
	BUG_ON(test_and_set_bit(3, &map) || !IS_RMW(SIM_OR, SIM_FULL));
	BUG_ON(!test_and_clear_bit(3, &map) || !IS_RMW(SIM_AND, SIM_FULL));
	BUG_ON(test_and_set_bit_lock(3, &map) || !IS_RMW(SIM_OR, SIM_ACQUIRE));
	clear_bit_unlock(3, &map);
	BUG_ON(!IS_RMW(SIM_AND, SIM_RELEASE) || map);
}

void case_order_barriers(void)
{
	unsigned char byte = 255;

	smp_mb();
	BUG_ON(!IS_FENCE(SIM_MB));
	smp_wmb();
	BUG_ON(!IS_FENCE(SIM_WMB));
	smp_rmb();
	BUG_ON(!IS_FENCE(SIM_RMB));
	smp_mb__after_atomic();
	BUG_ON(!IS_FENCE(SIM_MB_ATOMIC));
	BUG_ON(smp_load_acquire(&byte) != 255 || !IS(HOOK_LOAD, SIM_ACQUIRE));
	BUG_ON(world_last.size != 1);
	smp_store_release(&byte, -1);
	BUG_ON(!IS(HOOK_STORE, SIM_RELEASE) || world_last.operand != 255);
}

void case_order_refcount(void)
{
	refcount_t r = REFCOUNT_INIT(1);

	BUG_ON(!refcount_inc_not_zero(&r));
	BUG_ON(!IS_RMW(SIM_ADD_UNLESS, SIM_RELAXED));
	BUG_ON(refcount_dec_and_test(&r) || !IS_RMW(SIM_ADD, SIM_RELEASE));
	/* The last one also acquires, before it frees. */
	BUG_ON(!refcount_dec_and_test(&r) || !IS_FENCE(SIM_RMB));
}

void case_order_seqcount(void)
{
	seqcount_t s;
	unsigned int start;

	seqcount_init(&s);
	start = read_seqcount_begin(&s);
	BUG_ON(!IS(HOOK_AWAIT, SIM_ACQUIRE));
	BUG_ON(read_seqcount_retry(&s, start) || !IS_FENCE(SIM_RMB));
	BUG_ON(!raw_seqcount_try_begin(&s, start));
	BUG_ON(!IS(HOOK_LOAD, SIM_ACQUIRE));
	/* The count is odd before the data changes, even after it has. */
	world_watch = &s.sequence;
	write_seqcount_begin(&s);
	BUG_ON(!IS_FENCE(SIM_WMB) || world_last.watched != 1);
	write_seqcount_end(&s);
	BUG_ON(!IS_FENCE(SIM_WMB) || world_last.watched != 1);
	BUG_ON(s.sequence != 2);
}

/* Publishing NULL needs no order; publishing an object is a release. */
void case_order_publish(void)
{
	int object = 1, *p = NULL;

	rcu_assign_pointer(p, &object);
	BUG_ON(!IS(HOOK_STORE, SIM_RELEASE) || world_last.size != 8);
	world_last.kind = HOOK_NONE;
	rcu_assign_pointer(p, NULL);
	BUG_ON(world_last.kind != HOOK_NONE || p);
}

/* Marked accesses are told from plain ones; copies are seen word by word. */
void case_order_plain(void)
{
	static unsigned long from[4], to[4];
	static int x;

	world_volatile();
	world_plain();
	WRITE_ONCE(x, READ_ONCE(x) + 1);
	BUG_ON(world_plain() != 0 || world_volatile() != 2);
	x++;
	BUG_ON(world_plain() != 2 || world_volatile() != 0);

	memcpy(to, from, sizeof(to));
	BUG_ON(world_plain() != 8);
	memcpy((char *)to + 1, from, 3);
	BUG_ON(world_plain() != 6);
}

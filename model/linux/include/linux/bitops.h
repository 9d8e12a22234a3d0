/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/bitops.h - bits in arrays of unsigned long.
 *
 * 	function			order
 * 	set_bit, clear_bit, change_bit	none: nothing is returned
 * 	test_and_*_bit			full
 * 	test_and_set_bit_lock		acquire
 * 	clear_bit_unlock		release
 * 	test_bit			none: a volatile access
 * 	__set_bit, __clear_bit		none: plain accesses
 * 	find_*_bit			none: plain loads, one per word
 * Context of all: any. Locks: none. Sleeps: no. Scheduling point: each, in the
 * instrumented build. Leaves out bit arithmetic on values.
 */
#ifndef LINUX_BITOPS_H
#define LINUX_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>
#include <sim/access.h>

#define BITS_TO_LONGS(nr) (((nr) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]

static __always_inline void set_bit(long nr, volatile unsigned long *addr)
{
	(void)sim_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr), SIM_RELAXED);
}

static __always_inline void clear_bit(long nr, volatile unsigned long *addr)
{
	(void)sim_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr), SIM_RELAXED);
}

static __always_inline void change_bit(long nr, volatile unsigned long *addr)
{
	(void)sim_fetch_xor(addr + BIT_WORD(nr), BIT_MASK(nr), SIM_RELAXED);
}

static __always_inline bool test_and_set_bit(long nr,
					     volatile unsigned long *addr)
{
	return sim_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr), SIM_FULL) &
	       BIT_MASK(nr);
}

static __always_inline bool test_and_clear_bit(long nr,
					       volatile unsigned long *addr)
{
	return sim_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr), SIM_FULL) &
	       BIT_MASK(nr);
}

static __always_inline bool test_and_change_bit(long nr,
						volatile unsigned long *addr)
{
	return sim_fetch_xor(addr + BIT_WORD(nr), BIT_MASK(nr), SIM_FULL) &
	       BIT_MASK(nr);
}

static __always_inline bool test_and_set_bit_lock(long nr,
						  volatile unsigned long *addr)
{
	return sim_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr), SIM_ACQUIRE) &
	       BIT_MASK(nr);
}

static __always_inline void clear_bit_unlock(long nr,
					     volatile unsigned long *addr)
{
	(void)sim_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr), SIM_RELEASE);
}

static __always_inline bool test_bit(long nr,
				     const volatile unsigned long *addr)
{
	return READ_ONCE(addr[BIT_WORD(nr)]) & BIT_MASK(nr);
}

static __always_inline void __set_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] |= BIT_MASK(nr);
}

static __always_inline void __clear_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] &= ~BIT_MASK(nr);
}

/* Lowest bit at or after `from` that is `set`; size if there is none. */
static inline unsigned long sim_find_bit(const unsigned long *addr,
					 unsigned long size, unsigned long from,
					 bool set)
{
	while (from < size) {
		unsigned long word = addr[BIT_WORD(from)];
		unsigned long hits = (set ? word : ~word) &
				     (~0ul << (from % BITS_PER_LONG));

		if (hits) {
			from = BIT_WORD(from) * BITS_PER_LONG +
			       (unsigned int)__builtin_ctzl(hits);
			break;
		}
		from = (BIT_WORD(from) + 1) * BITS_PER_LONG;
	}
	return from < size ? from : size;
}

#define find_first_bit(addr, size) sim_find_bit(addr, size, 0, true)
#define find_next_bit(addr, size, from) sim_find_bit(addr, size, from, true)
#define find_first_zero_bit(addr, size) sim_find_bit(addr, size, 0, false)
#define find_next_zero_bit(addr, size, from) \
	sim_find_bit(addr, size, from, false)

#endif /* LINUX_BITOPS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/compiler.h - attributes, READ_ONCE and WRITE_ONCE.
 *
 * Leaves out sparse address spaces, instrumentation marks and the tables that
 * objtool reads. READ_ONCE and WRITE_ONCE are volatile accesses in both builds,
 * so that the instrumented one tells a marked access from a plain one.
 *
 * Context of everything here: any. Locks: none. Sleeps: no. Scheduling point:
 * READ_ONCE and WRITE_ONCE, as every access, in the instrumented build.
 */
#ifndef LINUX_COMPILER_H
#define LINUX_COMPILER_H

#include <linux/compiler_types.h>

/* Type of an expression without qualifiers: the comma makes it an rvalue. */
#define sim_unqual(x) __typeof__((void)0, (x))

#ifdef SIM_EXPLORE
/* The instrumentation would see that it is in a packed structure, and lose the mark. */
#define sim_hide(p) __asm__("" : "+r"(p))
#else
#define sim_hide(p) ((void)(p))
#endif

#define sim_read_once(x, p)                                                    \
	({                                                                     \
		const volatile sim_unqual(x) *p = (const volatile void *)&(x); \
		sim_hide(p);                                                   \
		*p;                                                            \
	})
#define READ_ONCE(x) sim_read_once(x, __UNIQUE_ID(once))
#define sim_write_once(x, val, p)                                  \
	do {                                                       \
		volatile __typeof__(x) *p = (volatile void *)&(x); \
		sim_hide(p);                                       \
		*p = (val);                                        \
	} while (0)
#define WRITE_ONCE(x, val) sim_write_once(x, val, __UNIQUE_ID(once))

#define sim_paste2(a, b) a##b
#define sim_paste(a, b) sim_paste2(a, b)
#define __UNIQUE_ID(prefix) sim_paste(sim_unique_##prefix, __COUNTER__)

/* A plain access that is meant to race: no race is reported (sim/world.h). */
#ifdef SIM_EXPLORE
void sim_may_race(int on);
#define sim_data_race(expr, value)          \
	({                                  \
		sim_may_race(1);            \
		__auto_type value = (expr); \
		sim_may_race(0);            \
		value;                      \
	})
#define data_race(expr) sim_data_race(expr, __UNIQUE_ID(racy))
#else
#define data_race(expr) (expr)
#endif

#define barrier() __asm__ __volatile__("" : : : "memory")

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define unreachable() __builtin_unreachable()

#endif /* LINUX_COMPILER_H */

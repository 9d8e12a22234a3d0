/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trapline/scenario.h - how a scenario in kernel-style C names its parts.
 *
 *	SCENARIO_SETUP() { u = kzalloc_obj(struct thing); }
 *	SCENARIO_THREAD(reader) { BUG_ON(READ_ONCE(u->x) == 2); }
 *	SCENARIO_THREAD(writer) { WRITE_ONCE(u->x, 2); }
 *	SCENARIO_IRQ(tick, writer) { WRITE_ONCE(u->seen, 1); }
 *	SCENARIO_CHECK() { BUG_ON(u->x != 2); }
 *
 * Set-up runs once, alone, before the snapshot that every execution starts
 * from. Threads start together, each on a CPU of its own, and are numbered as they
 * stand in the file. Each has a task of its own as `current`, all zero (no mm, pid 0),
 * so it may wait and be woken; user_begin (trapline/user.h) puts another in its place.
 * In set-up `current` is NULL. The check runs after every thread has ended. Plain C11 programs
 * with pthreads need none of this: their main() is the first thread.
 */
#ifndef TRAPLINE_SCENARIO_H
#define TRAPLINE_SCENARIO_H

#include <trapline/choose.h>

struct trapline_thread {
	const char *name; /* as reports and schedules call it */
	void (*fn)(void);
	int line;		/* of the file: their order */
} __attribute__((aligned(32))); /* so that the section is an array */

#define SCENARIO_THREAD(id)                                      \
	static void id(void);                                    \
	static const struct trapline_thread trapline_thread_##id \
		__attribute__((section("trapline_threads"),      \
			       used)) = { #id, id, __LINE__ };   \
	static void id(void)

/*
 * A hard interrupt of the CPU of a thread that stands before it in the file. It comes
 * once: before any operation of that thread while its interrupts are on, or, at the
 * latest, when it has ended. The handler runs to its end before the thread goes on,
 * with interrupts off, and may not sleep. SCENARIO_IRQS comes up to n times, or never.
 * (Softirqs: linux/interrupt.h.)
 *
 * Where it comes is part of what an execution is: two places are two executions, even
 * if nobody can tell them apart.
 */
struct trapline_irq {
	const char *name;
	void (*fn)(void);
	const struct trapline_thread *on;
	int line;
	unsigned int times;
	int once;
} __attribute__((aligned(64)));

#define SCENARIO_IRQ(id, thread) TRAPLINE_IRQ(id, thread, 1, 1)
#define SCENARIO_IRQS(id, thread, n) TRAPLINE_IRQ(id, thread, n, 0)
#define TRAPLINE_IRQ(id, thread, times, once)                       \
	static void id(void);                                       \
	static const struct trapline_irq trapline_irq_##id          \
		__attribute__((section("trapline_irqs"), used)) = { \
			#id,	  id,	 &trapline_thread_##thread, \
			__LINE__, times, once                       \
		};                                                  \
	static void id(void)

#define SCENARIO_SETUP()                    \
	void trapline_scenario_setup(void); \
	void trapline_scenario_setup(void)

#define SCENARIO_CHECK()                    \
	void trapline_scenario_check(void); \
	void trapline_scenario_check(void)

#endif /* TRAPLINE_SCENARIO_H */

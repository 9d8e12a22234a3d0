/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trapline/scenario.h - how a scenario in kernel-style C names its parts.
 *
 *	SCENARIO_SETUP() { u = kzalloc_obj(struct thing); }
 *	SCENARIO_THREAD(reader) { BUG_ON(READ_ONCE(u->x) == 2); }
 *	SCENARIO_THREAD(writer) { WRITE_ONCE(u->x, 2); }
 *	SCENARIO_CHECK() { BUG_ON(u->x != 2); }
 *
 * Set-up runs once, alone, before the snapshot that every execution starts
 * from. Threads start together and are numbered as they stand in the file.
 * The check runs after every thread has ended. Plain C11 programs with pthreads
 * need none of this: their main() is the first thread.
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

#define SCENARIO_SETUP()                    \
	void trapline_scenario_setup(void); \
	void trapline_scenario_setup(void)

#define SCENARIO_CHECK()                    \
	void trapline_scenario_check(void); \
	void trapline_scenario_check(void)

#endif /* TRAPLINE_SCENARIO_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A semaphore's reader that goes up twice if it meets the writer's flag. FIXED:
 * it goes up as often as it went down. MODE: it goes up as a writer.
 */
#include <linux/compiler.h>
#include <linux/rwsem.h>
#include <trapline/scenario.h>

static DECLARE_RWSEM(sem);
static int flag;

SCENARIO_THREAD(reader)
{
	down_read(&sem);
	down_read(&sem);
	up_read(&sem);
#ifdef MODE
	if (READ_ONCE(flag)) {
		up_write(&sem);
		return;
	}
#elif !defined(FIXED)
	if (READ_ONCE(flag))
		up_read(&sem);
#endif
	up_read(&sem);
}

SCENARIO_THREAD(writer)
{
	WRITE_ONCE(flag, 1);
	down_write(&sem);
	up_write(&sem);
}

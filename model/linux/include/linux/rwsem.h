/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/rwsem.h - the world's sleeping reader-writer lock.
 *
 * 	function			lock	sleeps	scheduling point
 * 	down_read, down_write[_killable] takes	yes	yes
 * 	down_{read,write}_trylock	takes	no	yes
 * 	up_read, up_write		drops	no	yes
 * Context: task. Leaves out fairness, downgrading, and being killed while
 * waiting: down_write_killable always succeeds.
 */
#ifndef LINUX_RWSEM_H
#define LINUX_RWSEM_H

#include <linux/cleanup.h>
#include <linux/lockdep.h>
#include <linux/types.h>
#include <sim/world.h>

struct rw_semaphore {
	struct sim_lock sim;
};

#define __RWSEM_INITIALIZER(name) \
	{                         \
		{                 \
			0         \
		}                 \
	}
#define DECLARE_RWSEM(name) struct rw_semaphore name = __RWSEM_INITIALIZER(name)

#define init_rwsem(s) ((s)->sim.word = 0)
#define down_read(s) sim_lock(&(s)->sim, SIM_RWSEM, 1)
#define down_read_trylock(s) sim_trylock(&(s)->sim, SIM_RWSEM, 1)
#define up_read(s) sim_unlock(&(s)->sim, SIM_RWSEM, 1)
#define down_write(s) sim_lock(&(s)->sim, SIM_RWSEM, 0)
#define down_write_killable(s) (down_write(s), 0)
#define down_write_trylock(s) sim_trylock(&(s)->sim, SIM_RWSEM, 0)
#define up_write(s) sim_unlock(&(s)->sim, SIM_RWSEM, 0)

DEFINE_GUARD(rwsem_read, struct rw_semaphore *, down_read(_T), up_read(_T))
DEFINE_GUARD(rwsem_write, struct rw_semaphore *, down_write(_T), up_write(_T))

#endif /* LINUX_RWSEM_H */

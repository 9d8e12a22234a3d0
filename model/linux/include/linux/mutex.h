/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/mutex.h - the world's sleeping lock.
 *
 * 	function			lock	sleeps	scheduling point
 * 	mutex_lock, mutex_lock_killable	takes	yes	yes
 * 	mutex_trylock			takes	no	yes
 * 	mutex_unlock			drops	no	yes
 * Context: task. Leaves out owners, and being killed while waiting:
 * mutex_lock_killable always succeeds.
 */
#ifndef LINUX_MUTEX_H
#define LINUX_MUTEX_H

#include <linux/cleanup.h>
#include <linux/lockdep.h>
#include <linux/types.h>
#include <sim/world.h>

struct mutex {
	struct sim_lock sim;
};

#define __MUTEX_INITIALIZER(name) \
	{                         \
		{                 \
			0         \
		}                 \
	}
#define DEFINE_MUTEX(name) struct mutex name = __MUTEX_INITIALIZER(name)

#define mutex_init(l) ((l)->sim.word = 0)
#define mutex_destroy(l) ((void)(l))
#define mutex_lock(l) sim_lock(&(l)->sim, SIM_MUTEX, 0)
#define mutex_lock_killable(l) (mutex_lock(l), 0)
#define mutex_trylock(l) sim_trylock(&(l)->sim, SIM_MUTEX, 0)
#define mutex_unlock(l) sim_unlock(&(l)->sim, SIM_MUTEX, 0)

DEFINE_GUARD(mutex, struct mutex *, mutex_lock(_T), mutex_unlock(_T))

#endif /* LINUX_MUTEX_H */
